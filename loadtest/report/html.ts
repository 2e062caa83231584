/** A piece of HTML. Text in it is escaped. */
export class Html {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
}

export type Content = Html | string | number | null | readonly Content[]

/** A template of HTML: strings are escaped, null is left out, lists are concatenated. */
export const html = (pieces: TemplateStringsArray, ...values: readonly Content[]): Html =>
  new Html(String.raw({ raw: pieces }, ...values.map(render)))

/** Marks HTML, SVG or CSS that this project has made, so that it is not escaped. */
export const trusted = (text: string): Html => new Html(text)

const render = (content: Content): string => {
  if (content === null) return ''
  if (Array.isArray(content)) return content.map(render).join('')
  return content instanceof Html ? content.toString() : escapeText(String(content))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeText = (text: string) => text.replaceAll(/[&<>"']/g, character => entities[character] as string)
