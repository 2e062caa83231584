import { BRACKETS, type Column, hasIntervals } from '../../lib/cli/columns.ts'

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

/** Strings are escaped, null is left out, lists are concatenated. */
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

/** Renders a table that scrolls on its own, also by the keyboard, when it is wider than the screen. */
export function renderTable<Row>(name: string, rows: readonly Row[], columns: readonly Column<Row>[]): Html {
  const hasSome = rows.some(row => columns.some(({ cell }) => hasIntervals(cell(row))))
  return html`${hasSome ? html`<p>${BRACKETS}</p>\n` : null}<div class="${columns.length > MANY ? 'table dense' : 'table'}" role="region" aria-label="${name}" tabindex="0"><table>
<thead><tr>${columns.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows.map(row => html`<tr>${columns.map(({ cell }, index) => renderCell(cell(row).trim(), index))}</tr>\n`)}</tbody>
</table></div>`
}

/** Tables with more columns have smaller text, so that they fit a screen of 1280 pixels. */
const MANY = 9

const renderCell = (text: string, index: number): Content =>
  index === 0 ? html`<th scope="row">${breakable(text)}</th>` : html`<td>${renderInterval(text)}</td>`

/** The name of a row may have a line break before each `+`. Other spaces in it do not break. */
const breakable = (name: string): Content =>
  name
    .replaceAll(' ', '\u00a0')
    .split(/(?=\+)/)
    .map((part, index) => (index === 0 ? part : html`<wbr>${part}`))

/** An interval behind a value may have a line of its own, but no line break in it. */
function renderInterval(text: string): Content {
  const [, value, interval] = /^(\S+) (\[.*\])$/.exec(text) ?? []
  return interval
    ? html`${value as string} <span class="whole">${interval}</span>`
    : text.replace(/ %/g, '\u00a0%')
}
