import UPlot from 'uplot'
import { aboveBand, inBand } from './axes.ts'
import { createAxes, sidesOf } from './chart-axes.ts'
import { color } from './color.ts'
import { fit } from './fit.ts'
import { describeChart, type Line } from './line.ts'
import { drawMarks, type PlacedMark, placeMarks } from './marks.ts'
import { drawPeaks } from './peaks.ts'
import type { Points } from './points.ts'
import { createReadout, cursor } from './readout.ts'

export interface Chart {
  /** @param rangeMs the time that the chart covers */
  draw(points: Points, rangeMs: number): void
  /** Must be called when the chart is removed from the page, because uPlot keeps all charts whose cursors move together. */
  remove(): void
}

interface ChartOptions {
  readonly lines: readonly Line[]
  /** The end of the scale; by default it fits the usual values. */
  readonly max?: number
  readonly hasAxes: boolean
}

/** The height of a row of labels, in em of the chart's font. */
const ROW_EMS = 1.4
/** The rows of labels of marks: as many as this part of a chart's height has room for, but some in any case. */
const ROWS_SHARE = 0.4
const LEAST_ROWS = 3

/** A chart that fills its element and moves with time. Its label describes the values in words. */
export function createChart(parent: HTMLElement, { lines, max, hasAxes }: ChartOptions): Chart {
  const area = document.createElement('div')
  area.className = 'area'
  area.role = 'img'
  parent.append(area)
  const bandColor = lines.find(({ isInBand }) => isInBand)?.color
  let show = () => {}
  let fitted = fit(lines, [], max)
  let marks: readonly PlacedMark[] = []
  let fontPixels = fontPixelsOf(area)
  const showReadout = createReadout(area, lines, () => chart)
  let chart = create()
  const resized = new ResizeObserver(() => {
    if (fontPixels === fontPixelsOf(area)) {
      chart.setSize(sizeOf(area))
    } else {
      // uPlot reads its font only when it is created.
      fontPixels = fontPixelsOf(area)
      chart.destroy()
      chart = create()
    }
    show()
  })
  resized.observe(area)

  function create(): UPlot {
    const { right } = sidesOf(fontPixels)
    const topPixels = () => fontPixels * (ROW_EMS * rowsOf(marks) + 0.2)
    const axes = createAxes({ fontPixels, font: font(), bandColor, fit: () => fitted })
    const options: UPlot.Options = {
      ...sizeOf(area),
      legend: { show: false },
      cursor,
      padding: hasAxes ? [topPixels, bandColor ? 0 : right, 0, 0] : [2, 0, 2, 0],
      scales: {
        x: { time: false, auto: false },
        y: { range: () => (fitted.bandTop > 0 ? aboveBand(fitted.top) : [0, fitted.top]) },
        band: { range: () => inBand(fitted.bandTop || 1) },
      },
      axes: hasAxes ? axes : [{ show: false }, { show: false }],
      series: [{}, ...lines.map(line => toSeries(line, hasAxes ? 2.5 : 1.5))],
      hooks: { draw: [drawNotes], setCursor: [showReadout] },
    }
    return new UPlot(options, [[], ...lines.map(() => [])], area)
  }

  function font(ratio = 1): string {
    return `${fontPixels * ratio}px Inter, system-ui, sans-serif`
  }

  function drawNotes(plot: UPlot): void {
    const canvasFont = font(devicePixelRatio)
    drawMarks(plot, marks, fontPixels * ROW_EMS, hasAxes ? canvasFont : undefined)
    drawPeaks(plot, fitted.peaks, fontPixels, canvasFont)
  }

  /** The room for labels above the chart, between its axes. */
  function labelRoom() {
    const { width, height } = sizeOf(area)
    const { left, right } = sidesOf(fontPixels)
    const rows = Math.floor((height * ROWS_SHARE) / (fontPixels * ROW_EMS))
    return { widthPixels: width - left - right, rows: Math.max(LEAST_ROWS, rows), font: font() }
  }

  return {
    draw(points, rangeMs) {
      const untilMs = points.nowMs
      const fromMs = untilMs - rangeMs
      const updates = points.since(fromMs)
      const marksOfRange = points.marksSince(fromMs)
      fitted = fit(lines, updates, max)
      show = () => {
        marks = placeMarks(chart, marksOfRange, { fromMs, untilMs, ...labelRoom() })
        chart.batch(() => {
          chart.setData([...fitted.columns], false)
          chart.setScale('x', { min: fromMs / 1000, max: untilMs / 1000 })
        })
      }
      show()
      // Screen readers may announce a new label of the element that has the focus.
      if (document.activeElement !== area) area.ariaLabel = describeChart(lines, updates, rangeMs)
    },
    remove() {
      resized.disconnect()
      chart.destroy()
    },
  }
}

const rowsOf = (marks: readonly PlacedMark[]) => 1 + Math.max(0, ...marks.map(({ row }) => row ?? 0))

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement) => ({ width: clientWidth, height: clientHeight })

const fontPixelsOf = (element: HTMLElement): number => Number.parseFloat(getComputedStyle(element).fontSize)

/** How uPlot draws a line. @param width in pixels */
const toSeries = ({ color: name, fill, isDashed, isInBand }: Line, width: number): UPlot.Series => ({
  scale: isInBand ? 'band' : 'y',
  stroke: () => color(name),
  width,
  points: { show: false },
  ...(isDashed && { dash: [6, 4] }),
  ...(fill && { fill: () => `color-mix(in srgb, ${color(name)} 18%, transparent)` }),
})
