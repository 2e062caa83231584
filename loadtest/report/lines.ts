import { type Html, html } from './html.ts'

/** A mark on the line of a row, at a value or between two. `report.css` draws each kind. */
export interface Mark {
  readonly kind: 'bar' | 'band' | 'interval' | 'dot' | 'ring' | 'sample' | 'diamond' | 'slice' | 'unseen'
  readonly at: number | readonly [from: number, to: number]
  /** In place of that of its kind. */
  readonly color?: string
  /** The words that are written on the mark. */
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

/** Round numbers from zero up to a value. */
function roundTicks(max: number): number[] {
  const rough = max / TICKS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find(factor => factor * power >= rough) as number)
  return Array.from({ length: Math.floor(max / step + 1e-9) + 1 }, (_, index) =>
    Number((index * step).toPrecision(6)),
  )
}

const ratioTicks = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 0.8, 1.25, 2, 5, 10, 20, 50]
/** The least distance of two ticks, as a share of the scale. */
const TICK_ROOM = 0.06

/** A logarithmic scale of ratios, around 1. */
export function scaleOfRatios(ratios: readonly number[]): Scale {
  const known = [0.9, 1.1, ...ratios.filter(ratio => ratio > 0 && Number.isFinite(ratio))]
  const [low, high] = [Math.max(0.005, Math.min(...known) * 0.9), Math.min(100, Math.max(...known) * 1.1)]
  const place = (ratio: number) => Math.log(Math.min(high, Math.max(low, ratio)) / low) / Math.log(high / low)
  const ticks: number[] = []
  const inside = ratioTicks.filter(tick => tick >= low && tick <= high)
  for (const tick of inside.toSorted((one, other) => Math.abs(Math.log(one)) - Math.abs(Math.log(other))))
    if (ticks.every(other => Math.abs(place(tick) - place(other)) >= TICK_ROOM)) ticks.push(tick)
  return { place, ticks, origin: 1, unit: '×' }
}

const percent = (share: number) => `${(share * 100).toFixed(2)}%`

/** Draws the lines below each other, on one scale. */
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
