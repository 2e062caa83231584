import UPlot from 'uplot'
import { make } from '../dom.ts'
import { niceMax, topOf } from '../scale.ts'
import { createAxes, FONT_PIXELS, fontAt } from './axes.ts'
import { color } from './color.ts'
import { describeChart, type Line } from './line.ts'
import { drawMarks } from './marks.ts'
import { type Points, toColumns } from './points.ts'
import { addReadout, cursor } from './readout.ts'

export interface Chart {
  /** @param rangeMs the time that the chart covers */
  draw(points: Points, rangeMs: number): void
  /** Must be called when the chart is removed from the page, because uPlot keeps all charts whose cursors move together. */
  remove(): void
}

interface ChartOptions {
  readonly lines: readonly Line[]
  /** The end of the scale; by default it fits the usual values, and a spike leaves the chart at its upper edge. */
  readonly max?: number
  readonly hasAxes: boolean
}

/** The rooms above and beside a chart, for labels of marks and for half a label of the axis. */
const ABOVE_PIXELS = 1.6 * FONT_PIXELS
const RIGHT_PIXELS = 1.4 * FONT_PIXELS

/** A chart that fills its element and moves with time. Its label describes the values in words. */
export function createChart(parent: HTMLElement, { lines, max, hasAxes }: ChartOptions): Chart {
  const area = parent.appendChild(make('div', 'area'))
  area.role = 'img'
  let columns = toColumns(lines, [])
  let marks: ReturnType<Points['marksSince']> = []
  const options: UPlot.Options = {
    ...sizeOf(area),
    legend: { show: false },
    cursor,
    padding: hasAxes ? [ABOVE_PIXELS, RIGHT_PIXELS, 0, 0] : [2, 0, 2, 0],
    scales: { x: { time: false, auto: false }, y: { range: () => [0, max ?? niceMax(topOf(...columns))] } },
    axes: hasAxes ? createAxes(() => columns[0].length === 0) : [{ show: false }, { show: false }],
    series: [{}, ...lines.map(line => toSeries(line, hasAxes ? 2.5 : 1.5))],
    hooks: { draw: [plot => drawMarks(plot, marks, hasAxes ? fontAt(devicePixelRatio) : undefined)] },
  }
  const chart = new UPlot(options, [[], ...lines.map(() => [])], area)
  addReadout(area, chart, lines)
  const resized = new ResizeObserver(() => chart.setSize(sizeOf(area)))
  resized.observe(area)

  return {
    draw(points, rangeMs) {
      const untilMs = points.nowMs
      const fromMs = untilMs - rangeMs
      const updates = points.since(fromMs)
      columns = toColumns(lines, updates)
      marks = points.marksSince(fromMs)
      chart.batch(() => {
        chart.setData(columns, false)
        chart.setScale('x', { min: fromMs / 1000, max: untilMs / 1000 })
      })
      // Screen readers may announce a new label of the element that has the focus.
      if (document.activeElement !== area) area.ariaLabel = describeChart(lines, updates, rangeMs)
    },
    remove() {
      resized.disconnect()
      chart.destroy()
    },
  }
}

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement) => ({ width: clientWidth, height: clientHeight })

/** How uPlot draws a line. @param width in pixels */
const toSeries = ({ color: name, fill, isDashed }: Line, width: number): UPlot.Series => ({
  stroke: () => color(name),
  width,
  points: { show: false },
  ...(isDashed && { dash: [6, 4] }),
  ...(fill && { fill: () => `color-mix(in srgb, ${color(name)} 18%, transparent)` }),
})
