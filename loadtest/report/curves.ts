import { axisX, axisY, dot, gridY, line, ruleY, text } from '@observablehq/plot'
import { draw, type Plot, placeLabels, TEXT_PX, WIDTH_PX, widthOf } from './plot.ts'
import { renderTable } from './table.ts'

/** A point of a series. */
export interface Point {
  readonly series: string
  readonly x: number
  readonly y: number
}

/** A plot of several lines, with both scales logarithmic unless that of x is `linear`. */
interface Curves extends Pick<Plot, 'id' | 'title' | 'howToRead'> {
  /** Names of the series, the most important first. Each has its own dash and mark. */
  readonly series: readonly string[]
  readonly points: readonly Point[]
  /** Values of the single samples. */
  readonly spread: readonly Point[]
  readonly x: { readonly label: string; readonly format: (x: number) => string; readonly scale?: 'linear' }
  /** Digits: those behind the point in the summary and in the table. */
  readonly y: { readonly label: string; readonly digits: number }
}

const strokes = ['var(--mark)', 'var(--text)', 'var(--quiet)']
const dashes = ['none', '8 5', '2 4']
const symbols = ['circle', 'square2', 'triangle2', 'diamond2'] as const

/** Its summary has both ends of each line, and its table all points. */
export function curvesPlot(curves: Curves): Plot {
  const { id, title, howToRead, series, points, x, y } = curves
  const pointsOf = (name: string) => points.filter(point => point.series === name)
  const describeEnds = (name: string) =>
    [...new Set([pointsOf(name)[0], pointsOf(name).at(-1)])]
      .flatMap(end => (end ? `${end.y.toFixed(y.digits)} at ${x.format(end.x)}` : []))
      .join(' to ')
  return {
    id,
    title,
    summary: `${y.label}, by ${x.label}: ${series.map(name => `${name} ${describeEnds(name)}`).join('; ')}.`,
    howToRead,
    draw: () => drawCurves(curves),
    data: renderTable(title, series, [
      { title: `${y.label}, by ${x.label}`, cell: name => name },
      ...ascending(points).map(at => ({
        title: x.format(at),
        cell: (name: string) =>
          pointsOf(name)
            .find(point => point.x === at)
            ?.y.toFixed(y.digits) ?? '-',
      })),
    ]),
  }
}

const ascending = (points: readonly Point[]) =>
  [...new Set(points.map(point => point.x))].toSorted((a, b) => a - b)

/** @returns SVG */
function drawCurves({ series, points, spread, x, y }: Curves): string {
  const height = WIDTH_PX * 0.45
  const [marginTop, marginBottom] = [TEXT_PX * 2, TEXT_PX * 3.2]
  const xs = ascending(points)
  const [first, last] = [xs[0] as number, xs.at(-1) as number]
  const [low, high] = extentOf([...points, ...spread])
  const yTicks = decimalTicks(low, high)
  const room = height - marginTop - marginBottom
  const yPx = (value: number) => marginTop + (room * Math.log(high / value)) / Math.log(high / low)
  const ends = series
    .flatMap(name => points.filter(point => point.series === name).toSorted((a, b) => b.x - a.x)[0] ?? [])
    .toSorted((a, b) => b.y - a.y)
  const places = placeLabels(
    ends.map(end => yPx(end.y)),
    TEXT_PX * 1.15,
    height - marginBottom,
  )
  return draw({
    height,
    marginLeft: Math.max(...yTicks.map(tick => widthOf(String(tick)))) + TEXT_PX,
    marginRight: Math.max(...series.map(name => widthOf(name))) + TEXT_PX * 1.5,
    marginTop,
    marginBottom,
    x: x.scale
      ? { type: x.scale, domain: [first, last] }
      : { type: 'log', domain: [first / 1.05, last * 1.05] },
    y: { type: 'log', domain: [low, high] },
    marks: [
      gridY(yTicks, { stroke: 'var(--line)', strokeOpacity: 1 }),
      axisY(yTicks, {
        label: y.label,
        labelArrow: false,
        tickSize: 0,
        text: String,
        color: 'var(--quiet)',
      }),
      axisX(xs, {
        label: x.label,
        labelAnchor: 'right',
        labelArrow: false,
        labelOffset: TEXT_PX * 2.7,
        text: x.format,
        tickSize: 0,
        color: 'var(--quiet)',
      }),
      ruleY([low], { stroke: 'var(--text)' }),
      dot(spread, { x: 'x', y: 'y', r: TEXT_PX / 7, fill: 'var(--text)', fillOpacity: 0.35 }),
      ...series.flatMap((name, index) => {
        const own = points.filter(point => point.series === name)
        const color = strokes[Math.min(index, strokes.length - 1)] as string
        const mark = { x: 'x', y: 'y', r: TEXT_PX / 3.2, symbol: symbols[index % symbols.length] as string }
        return [
          line(own, {
            x: 'x',
            y: 'y',
            stroke: color,
            strokeWidth: TEXT_PX / 6,
            strokeDasharray: dashes[index % dashes.length] as string,
          }),
          dot(own, { ...mark, fill: color }),
        ]
      }),
      ...ends.map((end, index) =>
        text([end], {
          x: 'x',
          y: 'y',
          text: 'series',
          textAnchor: 'start',
          dx: TEXT_PX * 0.8,
          dy: (places[index] as number) - yPx(end.y),
          fontWeight: 600,
        }),
      ),
    ],
  })
}

/** Ticks at powers of ten, and at twice and five times as much when there is room. */
function decimalTicks(low: number, high: number): number[] {
  const digits = high / low > MANY_TICKS ? [1] : [1, 2, 5]
  const powers = Array.from({ length: 13 }, (_, index) => index - 4)
  return powers
    .flatMap(power => digits.map(digit => Number(`${digit}e${power}`)))
    .filter(tick => tick >= low && tick <= high)
}

const MANY_TICKS = 500

/** The extent of the values, with some room below and above. */
function extentOf(points: readonly Point[]): [number, number] {
  const values = points.map(point => point.y).filter(value => value > 0)
  return [Math.min(...values) * 0.8, Math.max(...values) * 1.25]
}
