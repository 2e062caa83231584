import type { Column } from '../../lib/columns.ts'
import { type Content, type Html, html, trusted } from './html.ts'
import { type Frame, frames } from './plot.ts'

/** A plot with all that is needed to read it, also for those who do not see it. */
export interface Figure {
  /** Of the element, and of the files of the slide. */
  readonly id: string
  readonly title: string
  /** What there is to see, in a sentence. */
  readonly summary: string
  readonly howToRead: string
  /** @returns SVG */
  draw(frame: Frame): string
  readonly data: Html
}

/** A table that scrolls by itself where it is wider than the screen, by the keyboard too. */
export function renderTable<Row>(name: string, rows: readonly Row[], columns: readonly Column<Row>[]): Html {
  return html`<div class="table" role="region" aria-label="${name}" tabindex="0"><table>
<thead><tr>${columns.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows.map(row => html`<tr>${columns.map(({ cell }, index) => renderCell(cell(row).trim(), index))}</tr>\n`)}</tbody>
</table></div>`
}

/** Lists of samples; what is shorter stays on one line. */
const LONG = 40

const renderCell = (text: string, index: number): Content =>
  index === 0
    ? html`<th scope="row">${text}</th>`
    : text.length > LONG
      ? html`<td class="long">${text}</td>`
      : html`<td>${text}</td>`

/** The plot twice, for wide screens and for narrow ones; the style sheet shows one of them. */
export const renderFigure = ({ id, title, summary, howToRead, draw, data }: Figure): Html =>
  html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<figure aria-labelledby="${id}" aria-describedby="${id}-summary">
<p class="summary" id="${id}-summary">${summary}</p>
${Object.entries(frames).map(
  ([name, frame]) =>
    html`<div class="${name}" role="img" aria-label="${`${title}. ${summary}`}">${trusted(draw(frame))}</div>`,
)}
<figcaption><p>${howToRead}</p></figcaption>
<details><summary>The figures of “${title}”</summary>${data}</details>
</figure>
</section>
`
