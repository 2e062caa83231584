import { type PlotOptions, plot } from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import type { RowResult } from '../outcome/results.ts'
import { type Html, html, trusted } from './html.ts'

/** The name of a row in plots. */
export const nameOf = ({ number, name }: Pick<RowResult, 'number' | 'name'>): string =>
  number === null ? name : `${number} ${name}`

export const validSamples = ({ samples }: RowResult) => samples.filter(({ valid }) => valid)

export const percentiles = ['p50', 'p90', 'p99', 'max'] as const
export type Percentile = (typeof percentiles)[number]

/** A plot with everything that is needed to read it, also for people who cannot see it. */
export interface Plot {
  /** Id of the element. */
  readonly id: string
  readonly title: string
  /** Says in a sentence what the plot shows. */
  readonly summary: string
  readonly howToRead: string
  /** @returns SVG */
  draw(): string
  readonly data: Html
}

/** The size of every plot and of its text. On a narrow screen it scrolls in a box. */
export const WIDTH_PX = 1120
export const TEXT_PX = 19

const { document } = parseHTML('<!doctype html><html><body></body></html>')

/** Width of a letter of a wide sans serif, in heights of text, so that nothing is cut off in another font. */
const letterWidths = [
  { letters: /[ijlI.,:;'|!]/g, em: 0.34 },
  { letters: /[frt \-()/[\]]/g, em: 0.44 },
  { letters: /[mwMW%@→µ]/g, em: 0.95 },
] as const
const OTHER_EM = 0.63

/** Upper limit for the width of a text, in pixels. */
export function widthOf(text: string, textPx = TEXT_PX): number {
  const known = letterWidths.map(({ letters, em }) => ({ count: text.match(letters)?.length ?? 0, em }))
  const others = known.reduce((left, { count }) => left - count, text.length)
  return textPx * known.reduce((sum, { count, em }) => sum + count * em, others * OTHER_EM)
}

/** @returns SVG */
export function draw(options: PlotOptions): string {
  const style = { fontSize: `${TEXT_PX}px`, fontFamily: 'inherit' }
  const svg = plot({ document, width: WIDTH_PX, ...options, style })
  // Plot labels groups that have no role, which ARIA forbids. A plot is one image with one name.
  return (svg as unknown as { outerHTML: string }).outerHTML.replaceAll(/ aria-label="[^"]*"/g, '')
}

/** Places labels from the top, each as near to its value as it can be without overlapping another. */
export function placeLabels(wanted: readonly number[], leastPx: number, bottomPx: number): number[] {
  const placed = [...wanted]
  for (const [index, y] of wanted.entries()) {
    placed[index] = Math.max(y, (placed[index - 1] ?? 0) + leastPx)
  }
  for (let index = placed.length - 1, limit = bottomPx; index >= 0; index--) {
    placed[index] = Math.min(placed[index] as number, limit)
    limit = (placed[index] as number) - leastPx
  }
  return placed
}

export const renderPlot = ({ id, title, summary, howToRead, draw, data }: Plot): Html =>
  html`<section>
<h2 id="${id}">${title}</h2>
<figure aria-labelledby="${id}">
<div class="plot" role="img" tabindex="0" aria-label="${`${title}. ${summary}`}">${trusted(draw())}</div>
<figcaption><p>${howToRead}</p></figcaption>
<details><summary>The figures of “${title}”</summary>${data}</details>
</figure>
</section>
`
