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

/** `report.css` draws each kind. */
export interface Mark {
  readonly kind: 'bar' | 'band' | 'interval' | 'dot' | 'sample' | 'diamond' | 'slice' | 'unseen'
  readonly at: number | readonly [from: number, to: number]
  /** In place of that of its kind. */
  readonly color?: string
  readonly text?: { readonly words: string; readonly color: string }
}

/** The line of a row: its name, its marks, and what they come to. */
export interface Line {
  readonly name: string
  readonly label: string
  readonly labelColor?: string
  readonly marks: readonly Mark[]
}

interface Scale {
  /** The place of a value, from 0 on the left to 1. */
  place(value: number): number
  readonly ticks: readonly number[]
  /** The tick across which all lines are read. */
  readonly origin: number
  readonly unit: string
}

/** A scale from zero to the largest value. */
export function scaleTo(values: readonly number[], unit: string): Scale {
  const max = Math.max(0, ...values.filter(Number.isFinite)) || 1
  return { place: value => value / max, ticks: roundTicks(max), origin: 0, unit }
}

const TICKS = 6

function roundTicks(max: number): number[] {
  const rough = max / TICKS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find(factor => factor * power >= rough) as number)
  return Array.from({ length: Math.floor(max / step + 1e-9) + 1 }, (_, index) =>
    Number((index * step).toPrecision(6)),
  )
}

/** The ticks of ratios, the most important first. */
const RATIO_TICKS = [1, 0.8, 1.25, 0.5, 2, 0.2, 5, 0.1, 10, 0.05, 20, 0.02, 50, 0.01]
/** Of two ticks that are nearer to each other than this share of the scale, the first is shown. */
const TICK_ROOM = 0.06

/** A logarithmic scale of ratios, around 1. */
export function scaleOfRatios(ratios: readonly number[]): Scale {
  const shown = [0.9, 1.1, ...ratios.map(ratio => Math.min(100, Math.max(0.005, ratio)))]
  const [low, high] = [Math.min(...shown) * 0.9, Math.max(...shown) * 1.1]
  const place = (value: number) => Math.log(Math.min(high, Math.max(low, value)) / low) / Math.log(high / low)
  const ticks: number[] = []
  for (const tick of RATIO_TICKS.filter(each => each >= low && each <= high))
    if (ticks.every(other => Math.abs(place(tick) - place(other)) >= TICK_ROOM)) ticks.push(tick)
  return { place, ticks, origin: 1, unit: '×' }
}

const percent = (share: number) => `${(share * 100).toFixed(2)}%`

export function renderLines(lines: readonly Line[], { place, ticks, origin, unit }: Scale): Html {
  const grid = ticks.map(
    tick => html`<i class="${tick === origin ? 'origin' : 'tick'}" style="left:${percent(place(tick))}"></i>`,
  )
  return html`<div class="lines">${lines.map(
    ({ name, label, labelColor = 'inherit', marks }) =>
      html`<span>${name}</span><span class="track">${grid}${marks.map(mark => renderMark(mark, place))}</span><strong style="color:${labelColor}">${label}</strong>\n`,
  )}<span></span><span class="track axis">${ticks.map(
    tick => html`<span style="left:${percent(place(tick))}">${tick}</span>`,
  )}</span><span>${unit}</span></div>`
}

function renderMark({ kind, at, color, text }: Mark, place: Scale['place']): Html {
  const [from, to] = typeof at === 'number' ? [at, undefined] : at
  const width = to === undefined ? '' : `;width:${percent(place(to) - place(from))}`
  const colors = `${color ? `;--own:${color}` : ''}${text ? `;color:${text.color}` : ''}`
  return html`<i class="${kind}" style="left:${percent(place(from))}${width}${colors}">${text?.words ?? null}</i>`
}
