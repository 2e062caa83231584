import type { Column } from '../../lib/cli/columns.ts'
import { type Content, type Html, html, trusted } from './html.ts'
import { type Frame, frames } from './plot.ts'

/** A plot with everything that is needed to read it, also for people who cannot see it. */
export interface Plot {
  /** Id of the element; also the name of the slide's files. */
  readonly id: string
  readonly title: string
  /** What the run found, in a sentence: the title of a slide. Without it, a slide has the title of the plot. */
  readonly finding?: string
  /** Says in a sentence what the plot shows. */
  readonly summary: string
  readonly howToRead: string
  /** @returns SVG */
  draw(frame: Frame): string
  readonly data: Html
}

/** Renders a table that scrolls on its own, also by the keyboard, when it is wider than the screen. */
export function renderTable<Row>(name: string, rows: readonly Row[], columns: readonly Column<Row>[]): Html {
  return html`<div class="${columns.length > MANY ? 'table dense' : 'table'}" role="region" aria-label="${name}" tabindex="0"><table>
<thead><tr>${columns.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows.map(row => html`<tr>${columns.map(({ cell }, index) => renderCell(cell(row).trim(), index))}</tr>\n`)}</tbody>
</table></div>`
}

/** Tables with more columns have smaller text, so that they fit a screen of 1280 pixels. */
const MANY = 9

/** Cells with more characters, such as lists of samples, may have several lines. */
const LONG = 40

const renderCell = (text: string, index: number): Content =>
  index === 0
    ? html`<th scope="row">${breakable(text)}</th>`
    : text.length > LONG
      ? html`<td class="long">${text}</td>`
      : html`<td>${renderInterval(text)}</td>`

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

/** Renders a plot twice, for wide and for narrow screens; the style sheet shows one of them. */
export const renderPlot = ({ id, title, summary, howToRead, draw, data }: Plot): Html =>
  html`<section>
<h2 id="${id}">${title}</h2>
<figure aria-labelledby="${id}">
${Object.entries(frames).map(
  ([name, frame]) =>
    html`<div class="${name}" role="img" aria-label="${`${title}. ${summary}`}">${trusted(draw(frame))}</div>`,
)}
<figcaption><p>${howToRead}</p></figcaption>
<details><summary>The figures of “${title}”</summary>${data}</details>
</figure>
</section>
`
