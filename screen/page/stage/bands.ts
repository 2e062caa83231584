import { format, isMeasured, type Metric, metrics } from '../../metrics.ts'
import type { MetricId, Second, StageStep } from '../../stage-messages.ts'
import { draw } from '../dom.ts'
import { niceMax } from '../scale.ts'
import type { Model } from './model.ts'

/** A band has room for as many seconds as the step that was shown longest, within these limits. */
const SECONDS = { least: 15, most: 60 }
const RADIUS = 3

/** Draws one band a step: a dot for each of its last seconds and a line at their median. The bands stay. */
export function drawBands(svg: SVGSVGElement, id: MetricId, model: Model): void {
  const { width, height } = svg.getBoundingClientRect()
  const metric = metrics[id]
  const { steps, state } = model
  const seconds = model.seconds.filter(({ isBroken }) => !isBroken)
  if (width === 0 || steps.length === 0) return
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`)
  const top = topOf(metric, seconds)
  const bandWidth = width / steps.length
  const fontPixels = Math.min(innerHeight / 40, bandWidth * 0.38)
  /** There is room for the figure of a median above the scale, and for the number of the step below it. */
  const room = { above: fontPixels + 12, below: fontPixels + 14 }
  const y = (value: number) =>
    room.above + (height - room.above - room.below) * (1 - Math.min(1, value / top))
  const shown = steps.map(({ number }) => seconds.filter(({ step }) => step === number).slice(-SECONDS.most))
  const length = Math.max(SECONDS.least, ...shown.map(each => each.length))
  const bands = steps.map((step, index) => {
    const own = shown[index] as Second[]
    const group = draw('g', {
      transform: `translate(${index * bandWidth} 0)`,
      class: step.number === state?.step ? 'band now' : 'band',
      'font-size': fontPixels,
    })
    group.append(
      draw('rect', { x: 1, y: 0, width: bandWidth - 2, height, rx: 6, class: 'ground' }),
      draw('line', { x1: 1, x2: bandWidth - 1, y1: y(0), y2: y(0), class: 'floor' }),
      ...dotsOf(own, metric, y, second => 6 + ((second + 0.5) / length) * (bandWidth - 12)),
      ...medianOf(step, id, model, bandWidth, y),
      draw('text', { x: bandWidth / 2, y: height - 8, class: 'number' }, String(step.number)),
    )
    return group
  })
  svg.replaceChildren(...bands)
}

function dotsOf(
  seconds: readonly Second[],
  metric: Metric,
  y: (value: number) => number,
  x: (second: number) => number,
): SVGElement[] {
  return seconds.flatMap((second, index) => {
    const value = isMeasured(second) ? metric.of([second]) : null
    if (value === null) return []
    return draw('circle', {
      cx: x(index),
      cy: y(value),
      r: RADIUS,
      class: second.isWarm ? 'dot' : 'dot cold',
    })
  })
}

function medianOf(
  { number }: StageStep,
  id: MetricId,
  model: Model,
  bandWidth: number,
  y: (value: number) => number,
): SVGElement[] {
  const value = model.comparisonOf(number)?.medians[id] ?? null
  if (value === null) return []
  return [
    draw('line', { x1: 5, x2: bandWidth - 5, y1: y(value), y2: y(value), class: 'median' }),
    draw(
      'text',
      { x: bandWidth / 2, y: y(value) - 10, class: 'value' },
      format(metrics[id], value).replace(',', ''),
    ),
  ]
}

/** A scale ends this much above the step with the highest values. */
const ROOM = 1.1
const RANK = 0.9

/**
 * The end of the scale, the same for all steps. A few spikes do not change it: it is made of the value that nine of ten
 * seconds of the highest step stay below.
 */
function topOf({ max, of }: Metric, seconds: readonly Second[]): number {
  if (max !== undefined) return max
  const warm = seconds.filter(isMeasured).filter(({ isWarm }) => isWarm)
  const usual = [...Map.groupBy(warm, ({ step }) => step).values()].map(own => {
    const sorted = own.flatMap(second => of([second]) ?? []).sort((one, other) => one - other)
    return sorted[Math.ceil(sorted.length * RANK) - 1] ?? 0
  })
  return niceMax(Math.max(1, ...usual) * ROOM)
}
