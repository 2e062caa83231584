import { type Html, html, renderTable } from './html.ts'
import type { Plot } from './plot.ts'

/** A point of a series. */
export interface Point {
  readonly series: string
  readonly x: number
  readonly y: number
}

/** A plot of several lines, with both scales logarithmic. */
interface Curves extends Pick<Plot, 'id' | 'title' | 'howToRead'> {
  /** Names of the series, the most important first. Each has its own dash and mark. */
  readonly series: readonly string[]
  readonly points: readonly Point[]
  /** Values of the single samples. */
  readonly spread: readonly Point[]
  readonly x: { readonly label: string; readonly format: (x: number) => string }
  /** Digits: those behind the point in the summary and in the table. */
  readonly y: { readonly label: string; readonly digits: number }
}

const strokes = ['var(--mark)', 'var(--text)', 'var(--quiet)']
const dashes = ['none', '8 5', '2 4']

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
    image: drawCurves(curves),
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

/** The size of the drawing and of its text, in pixels. On a narrow screen it scrolls in a box. */
const [WIDTH, HEIGHT, TEXT] = [1120, 500, 19]
const MARGIN = { top: 2 * TEXT, bottom: 3.2 * TEXT, left: 4 * TEXT }
/** An upper limit for the mean width of a letter. */
const LETTER = 0.66 * TEXT

function drawCurves({ series, points, spread, x, y }: Curves): Html {
  const xs = ascending(points)
  const [low, high] = extentOf([...points, ...spread])
  const right = WIDTH - Math.max(...series.map(name => name.length)) * LETTER - 2 * TEXT
  const bottom = HEIGHT - MARGIN.bottom
  const place = ([from, to]: readonly [number, number], [start, end]: readonly [number, number]) => {
    const range = Math.log(to / from) || 1
    return (value: number) => start + ((end - start) * Math.log(value / from)) / range
  }
  const xOf = place([(xs[0] as number) / 1.05, (xs.at(-1) as number) * 1.05], [MARGIN.left, right])
  const yOf = place([low, high], [bottom, MARGIN.top])
  const ends = series
    .flatMap(name => points.filter(point => point.series === name).toSorted((a, b) => b.x - a.x)[0] ?? [])
    .toSorted((a, b) => b.y - a.y)
  const labels = placeLabels(
    ends.map(end => yOf(end.y)),
    1.15 * TEXT,
    bottom,
  )
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" font-size="${TEXT}">
${decimalTicks(low, high).map(
  tick =>
    html`<path class="grid" d="M${MARGIN.left} ${px(yOf(tick))}H${px(right)}"/><text class="quiet" text-anchor="end" dy="0.35em" x="${MARGIN.left - 8}" y="${px(yOf(tick))}">${tick}</text>\n`,
)}${roomyTicks(xs, x.format, xOf).map(
  tick =>
    html`<text class="quiet" text-anchor="middle" x="${px(xOf(tick))}" y="${bottom + 1.5 * TEXT}">${x.format(tick)}</text>\n`,
)}<text class="quiet" x="0" y="${TEXT}">${y.label}</text>
<text class="quiet" text-anchor="end" x="${px(right)}" y="${HEIGHT - 4}">${x.label}</text>
<g class="samples">${spread
    .filter(each => each.y > 0)
    .map(each => html`<circle cx="${px(xOf(each.x))}" cy="${px(yOf(each.y))}" r="3"/>`)}</g>
${series.map((name, index) => {
  const own = points.filter(point => point.series === name && point.y > 0)
  const color = strokes[Math.min(index, strokes.length - 1)] as string
  const path = own.map((point, at) => `${at ? 'L' : 'M'}${px(xOf(point.x))} ${px(yOf(point.y))}`).join('')
  return html`<g style="--own:${color}"><path class="curve" stroke-dasharray="${dashes[index % dashes.length] as string}" d="${path}"/>${own.map(
    point => html`<circle class="point" cx="${px(xOf(point.x))}" cy="${px(yOf(point.y))}" r="6"/>`,
  )}</g>\n`
})}${ends.map(
  (end, index) =>
    html`<text font-weight="600" dy="0.35em" x="${px(right + TEXT)}" y="${px(labels[index] as number)}">${end.series}</text>\n`,
)}</svg>`
}

const px = (value: number) => value.toFixed(1)

/** The values of x whose labels have room beside each other. */
function roomyTicks(
  xs: readonly number[],
  format: (x: number) => string,
  xOf: (x: number) => number,
): number[] {
  let taken = Number.NEGATIVE_INFINITY
  return xs.filter(tick => {
    const half = (format(tick).length * LETTER) / 2
    if (xOf(tick) - half < taken) return false
    taken = xOf(tick) + half + TEXT / 2
    return true
  })
}

/** Places labels from the top, each as near to its value as it can be without overlapping another. */
function placeLabels(wanted: readonly number[], leastPx: number, bottomPx: number): number[] {
  const placed = [...wanted]
  for (const [index, y] of wanted.entries()) placed[index] = Math.max(y, (placed[index - 1] ?? 0) + leastPx)
  for (let index = placed.length - 1, limit = bottomPx; index >= 0; index--) {
    placed[index] = Math.min(placed[index] as number, limit)
    limit = (placed[index] as number) - leastPx
  }
  return placed
}

const MANY_TICKS = 500

/** Ticks at powers of ten, and at twice and five times as much when there is room. */
function decimalTicks(low: number, high: number): number[] {
  const digits = high / low > MANY_TICKS ? [1] : [1, 2, 5]
  const powers = Array.from({ length: 13 }, (_, index) => index - 4)
  return powers
    .flatMap(power => digits.map(digit => Number(`${digit}e${power}`)))
    .filter(tick => tick >= low && tick <= high)
}

/** The extent of the values, with some room below and above. */
function extentOf(points: readonly Point[]): [number, number] {
  const values = points.map(point => point.y).filter(value => value > 0)
  return [Math.min(...values) * 0.8, Math.max(...values) * 1.25]
}
