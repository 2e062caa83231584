import UPlot from 'uplot'
import type { Update } from '../update.ts'
import { formatFigure } from './format.ts'
import { type Points, toColumns } from './points.ts'

export interface Line {
  /** Names the color in the style sheet, `--goodput`. */
  readonly color: string
  readonly label: string
  read(update: Update): number | null | undefined
  readonly fill?: boolean
}

export interface Chart {
  /** @param rangeMs how far back it shows */
  draw(points: Points, rangeMs: number): void
}

interface ChartOptions {
  readonly lines: readonly Line[]
  /** Where the scale ends; grown to what is shown unless given. */
  readonly max?: number
  readonly hasAxes: boolean
}

/** A chart that fills its element and moves with time; what it shows is also said in words. */
export function createChart(parent: HTMLElement, { lines, max, hasAxes }: ChartOptions): Chart {
  const area = document.createElement('div')
  area.className = 'area'
  area.role = 'img'
  parent.append(area)
  let marks: ReturnType<Points['marksSince']> = []
  const axis = { stroke: () => color('quiet'), grid: { stroke: () => color('line'), width: 1 }, ticks: { show: false } }
  const chart = new UPlot(
    {
      ...sizeOf(area),
      legend: { show: false },
      cursor: { show: false },
      padding: hasAxes ? [12, 12, 0, 0] : [2, 0, 2, 0],
      scales: { x: { time: false, auto: false }, y: { range: (_chart, _low, high) => [0, max ?? niceMax(high)] } },
      axes: hasAxes
        ? [
            { ...axis, size: 34, font: font(), splits: splitTime, values: labelTime },
            { ...axis, size: 62, font: font(), values: (_chart, ticks) => ticks.map(tick => tick.toLocaleString('en')) },
          ]
        : [{ show: false }, { show: false }],
      series: [
        {},
        ...lines.map(({ color: name, fill }) => ({
          stroke: () => color(name),
          width: hasAxes ? 2.5 : 1.5,
          points: { show: false },
          ...(fill && { fill: () => `color-mix(in srgb, ${color(name)} 18%, transparent)` }),
        })),
      ],
      hooks: { draw: [drawMarks] },
    },
    [[], ...lines.map(() => [])],
    area,
  )
  new ResizeObserver(() => chart.setSize(sizeOf(area))).observe(area)

  function drawMarks({ ctx, bbox, valToPos }: UPlot): void {
    ctx.save()
    ctx.strokeStyle = color('mark')
    ctx.fillStyle = color('mark')
    ctx.lineWidth = 2 * devicePixelRatio
    ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio])
    ctx.font = font(devicePixelRatio)
    for (const { atMs, label } of marks) {
      const x = valToPos(atMs / 1000, 'x', true)
      ctx.beginPath()
      ctx.moveTo(x, bbox.top)
      ctx.lineTo(x, bbox.top + bbox.height)
      ctx.stroke()
      if (!hasAxes) continue
      const isNearEnd = x + ctx.measureText(label).width > bbox.left + bbox.width - 8
      ctx.textAlign = isNearEnd ? 'right' : 'left'
      ctx.fillText(label, x + (isNearEnd ? -6 : 6) * devicePixelRatio, bbox.top + 14 * devicePixelRatio)
    }
    ctx.restore()
  }

  return {
    draw(points, rangeMs) {
      const nowMs = points.last?.atMs ?? Date.now()
      const updates = points.since(nowMs - rangeMs)
      marks = points.marksSince(nowMs - rangeMs)
      chart.batch(() => {
        chart.setData(toColumns(updates, lines.map(({ read }) => read)), false)
        chart.setScale('x', { min: (nowMs - rangeMs) / 1000, max: nowMs / 1000 })
      })
      area.ariaLabel = describe(lines, updates, rangeMs)
    },
  }
}

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement) => ({ width: clientWidth, height: clientHeight })

const color = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`)

const font = (ratio = 1) => `${15 * ratio}px system-ui, sans-serif`

/** The least of 1, 1.5, 2, 3, 4, 5, 6, 8 and 10 times a power of ten that is not below the value. */
function niceMax(value: number | null): number {
  if (!value) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const factor = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find(each => each * power >= value) ?? 10
  return factor * power
}

/** Five times, counted back from now, so that they stand still while the lines move. */
function splitTime(_chart: UPlot, _axis: number, min: number, max: number): number[] {
  return [0, 1, 2, 3, 4].map(index => max - ((max - min) * (4 - index)) / 4)
}

function labelTime({ scales }: UPlot, splits: readonly number[]): string[] {
  const now = scales.x?.max ?? 0
  return splits.map(split => (now - split < 0.5 ? 'now' : `−${formatAgo(now - split)}`))
}

function formatAgo(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** What a chart shows, for whoever does not see it. */
function describe(lines: readonly Line[], updates: readonly Update[], rangeMs: number): string {
  const sentences = lines.map(({ label, read }) => {
    const values = updates.flatMap(update => read(update) ?? [])
    if (values.length === 0) return `${label}: nothing yet`
    const [now, least, most] = [values.at(-1), Math.min(...values), Math.max(...values)].map(formatFigure)
    return `${label}: ${now} now, between ${least} and ${most}`
  })
  return `The last ${rangeMs / 60_000} minutes. ${sentences.join('. ')}.`
}
