export const find = <E extends Element = HTMLElement>(selector: string): E =>
  document.querySelector(selector) as E

/** Makes an HTML element with a class and content. */
export function make(name: string, className: string, ...content: (Node | string)[]): HTMLElement {
  const element = document.createElement(name)
  if (className) element.className = className
  element.append(...content)
  return element
}

/** Makes an SVG element with attributes. */
export function draw(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  text = '',
): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  element.textContent = text
  return element
}

/** Changes a text only when necessary, because screen readers announce changes. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

/** @returns a function that asks for one call of `show` in the next frame, however often it is called */
export function oncePerFrame(show: () => void): () => void {
  let isAsked = false
  return () => {
    if (isAsked) return
    isAsked = true
    requestAnimationFrame(() => {
      isAsked = false
      show()
    })
  }
}
