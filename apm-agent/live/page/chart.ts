import UPlot from 'uplot'
import type { Update } from '../update.ts'
import { labelFigure, labelTime, niceMax, splitFigures, splitTime } from './axes.ts'
import { color } from './color.ts'
import { formatFigure } from './format.ts'
import { drawMarks } from './marks.ts'
import { type Mark, type Points, toColumns } from './points.ts'

export interface Line {
  /** The name of the color in the style sheet, such as `goodput` for `--goodput`. */
  readonly color: string
  readonly label: string
  read(update: Update): number | null | undefined
  readonly fill?: boolean
  readonly isDashed?: boolean
}

export interface Chart {
  /** @param rangeMs the time that the chart covers */
  draw(points: Points, rangeMs: number): void
}

interface ChartOptions {
  readonly lines: readonly Line[]
  /** The end of the scale; by default it fits the values. */
  readonly max?: number
  readonly hasAxes: boolean
}

/** A chart that fills its element and moves with time. Its label describes the values in words. */
export function createChart(parent: HTMLElement, { lines, max, hasAxes }: ChartOptions): Chart {
  const area = document.createElement('div')
  area.className = 'area'
  area.role = 'img'
  parent.append(area)
  let shown: Shown = { updates: [], marks: [], fromMs: 0, untilMs: 1 }
  let fontPixels = fontPixelsOf(area)
  let chart = create()
  new ResizeObserver(() => {
    if (fontPixels === fontPixelsOf(area)) return chart.setSize(sizeOf(area))
    // uPlot reads its font only when it is created.
    fontPixels = fontPixelsOf(area)
    chart.destroy()
    chart = create()
    show()
  }).observe(area)

  function create(): UPlot {
    const axis = {
      font: font(),
      stroke: () => color('quiet'),
      grid: { stroke: () => color('line'), width: 1 },
      ticks: { show: false },
    }
    const axes = [
      {
        ...axis,
        size: fontPixels * 2.2,
        gap: fontPixels * 0.7,
        splits: splitTime(fontPixels),
        values: labelTime,
      },
      {
        ...axis,
        size: fontPixels * 4.5,
        splits: splitFigures,
        // Without updates the scale has no meaning, so it has no labels.
        values: (_chart: UPlot, splits: readonly number[]) =>
          shown.updates.length > 0 ? splits.map(labelFigure) : [],
      },
    ]
    const options: UPlot.Options = {
      ...sizeOf(area),
      legend: { show: false },
      cursor: { show: false },
      padding: hasAxes ? [fontPixels * 1.6, fontPixels * 1.5, 0, 0] : [2, 0, 2, 0],
      scales: {
        x: { time: false, auto: false },
        y: { range: (_chart, _low, high) => [0, max ?? niceMax(high)] },
      },
      axes: hasAxes ? axes : [{ show: false }, { show: false }],
      series: [{}, ...lines.map(toSeries)],
      hooks: { draw: [plot => drawMarks(plot, shown.marks, hasAxes ? font(devicePixelRatio) : undefined)] },
    }
    return new UPlot(options, [[], ...lines.map(() => [])], area)
  }

  function toSeries({ color: name, fill, isDashed }: Line): UPlot.Series {
    return {
      stroke: () => color(name),
      width: hasAxes ? 2.5 : 1.5,
      points: { show: false },
      ...(isDashed && { dash: [6, 4] }),
      ...(fill && { fill: () => `color-mix(in srgb, ${color(name)} 18%, transparent)` }),
    }
  }

  function font(ratio = 1): string {
    return `${fontPixels * ratio}px system-ui, sans-serif`
  }

  function show(): void {
    const { updates, fromMs, untilMs } = shown
    chart.batch(() => {
      chart.setData(
        toColumns(
          updates,
          lines.map(({ read }) => read),
        ),
        false,
      )
      chart.setScale('x', { min: fromMs / 1000, max: untilMs / 1000 })
    })
  }

  return {
    draw(points, rangeMs) {
      const untilMs = points.nowMs
      const fromMs = untilMs - rangeMs
      shown = { updates: points.since(fromMs), marks: points.marksSince(fromMs), fromMs, untilMs }
      show()
      area.ariaLabel = describe(lines, shown.updates, rangeMs)
    },
  }
}

/** The data of the chart, which is drawn again after the chart is created anew. */
interface Shown {
  readonly updates: readonly Update[]
  readonly marks: readonly Mark[]
  readonly fromMs: number
  readonly untilMs: number
}

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement) => ({ width: clientWidth, height: clientHeight })

const fontPixelsOf = (element: HTMLElement): number => Number.parseFloat(getComputedStyle(element).fontSize)

/** Describes the chart for readers who cannot see it. */
function describe(lines: readonly Line[], updates: readonly Update[], rangeMs: number): string {
  const sentences = lines.flatMap(({ label, read }) => {
    const values = updates.flatMap(update => read(update) ?? [])
    if (values.length === 0) return []
    const [now, least, most] = [values.at(-1), Math.min(...values), Math.max(...values)].map(formatFigure)
    return `${label}: ${now} now, between ${least} and ${most}`
  })
  const told = sentences.length > 0 ? sentences.join('. ') : 'Nothing yet'
  return `The last ${rangeMs / 60_000} minutes. ${told}.`
}
