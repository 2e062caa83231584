import type { Results, RowResult } from '../outcome/results.ts'
import { type Html, html } from './html.ts'

export const nameOf = ({ number, name }: Pick<RowResult, 'number' | 'name'>): string =>
  number === null ? name : `${number} ${name}`

export const validSamples = ({ samples }: RowResult) => samples.filter(({ valid }) => valid)

/** A plot with everything that is needed to read it, also for people who cannot see it. */
export interface Plot {
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly howToRead: string
  readonly image: Html
}

/** Makes a plot of rows; null when they have nothing to show. */
export type RowsPlot = (results: Results) => Plot | null

export const renderPlot = ({ id, title, summary, howToRead, image }: Plot): Html =>
  html`<section>
<h2 id="${id}">${title}</h2>
<figure aria-labelledby="${id}">
<div class="plot" role="img" tabindex="0" aria-label="${`${title}. ${summary}`}">${image}</div>
<figcaption><p>${howToRead}</p></figcaption>
</figure>
</section>
`
