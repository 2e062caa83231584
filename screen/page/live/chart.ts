import UPlot from 'uplot'
import { make } from '../dom.ts'
import { niceMax, topOf } from '../scale.ts'
import { createAxes } from './axes.ts'
import { color } from './color.ts'
import { describeChart, type Line } from './line.ts'
import { drawMarks } from './marks.ts'
import { type Points, toColumns } from './points.ts'
import { createReadout, cursor } from './readout.ts'

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

/** The rooms above and beside a chart, for labels of marks and for half a label of the axis, in em of the chart's font. */
const ABOVE_EMS = 1.6
const RIGHT_EMS = 1.4

/** A chart that fills its element and moves with time. Its label describes the values in words. */
export function createChart(parent: HTMLElement, { lines, max, hasAxes }: ChartOptions): Chart {
  const area = parent.appendChild(make('div', 'area'))
  area.role = 'img'
  let show = () => {}
  let columns = toColumns(lines, [])
  let marks: ReturnType<Points['marksSince']> = []
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
    const axes = createAxes(fontPixels, font(), () => columns[0].length === 0)
    const options: UPlot.Options = {
      ...sizeOf(area),
      legend: { show: false },
      cursor,
      padding: hasAxes ? [fontPixels * ABOVE_EMS, fontPixels * RIGHT_EMS, 0, 0] : [2, 0, 2, 0],
      scales: { x: { time: false, auto: false }, y: { range: () => [0, max ?? niceMax(topOf(...columns))] } },
      axes: hasAxes ? axes : [{ show: false }, { show: false }],
      series: [{}, ...lines.map(line => toSeries(line, hasAxes ? 2.5 : 1.5))],
      hooks: {
        draw: [plot => drawMarks(plot, marks, hasAxes ? font(devicePixelRatio) : undefined)],
        setCursor: [showReadout],
      },
    }
    return new UPlot(options, [[], ...lines.map(() => [])], area)
  }

  function font(ratio = 1): string {
    return `${fontPixels * ratio}px Inter, system-ui, sans-serif`
  }

  return {
    draw(points, rangeMs) {
      const untilMs = points.nowMs
      const fromMs = untilMs - rangeMs
      const updates = points.since(fromMs)
      columns = toColumns(lines, updates)
      marks = points.marksSince(fromMs)
      show = () =>
        chart.batch(() => {
          chart.setData(columns, false)
          chart.setScale('x', { min: fromMs / 1000, max: untilMs / 1000 })
        })
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

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement) => ({ width: clientWidth, height: clientHeight })

const fontPixelsOf = (element: HTMLElement): number => Number.parseFloat(getComputedStyle(element).fontSize)

/** How uPlot draws a line. @param width in pixels */
const toSeries = ({ color: name, fill, isDashed }: Line, width: number): UPlot.Series => ({
  stroke: () => color(name),
  width,
  points: { show: false },
  ...(isDashed && { dash: [6, 4] }),
  ...(fill && { fill: () => `color-mix(in srgb, ${color(name)} 18%, transparent)` }),
})
