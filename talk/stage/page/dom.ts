export const find = <E extends Element = HTMLElement>(selector: string): E =>
  document.querySelector(selector) as E

/** Makes an HTML element with a class and content. */
export function make(name: string, className: string, ...content: (Node | string)[]): HTMLElement {
  const element = document.createElement(name)
  element.className = className
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

/** Acts on a key without modifiers, and on a click on the button that is named for it. */
export function onKey(key: string, selector: string, act: () => void): void {
  const button = find<HTMLButtonElement>(selector)
  button.addEventListener('click', act)
  document.addEventListener('keydown', event => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    if (event.key === key && isPlain && button.checkVisibility()) act()
  })
}

/** Changes a text only when necessary, because screen readers announce changes. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}
