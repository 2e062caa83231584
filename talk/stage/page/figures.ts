import { drawBands } from './bands.ts'
import { draw, find, make, setText } from './dom.ts'
import { format, type Metric, metrics } from './metrics.ts'
import type { Model } from './model.ts'
import { compareValues } from './words.ts'

/** The large figure is the median of these last seconds, so that a spike does not change it. */
const SHOWN_SECONDS = 3

/** Makes the large figures, each above its bands. @returns a function that shows the present values */
export function createFigures(): (model: Model) => void {
  const shown = metrics.map(createFigure)
  return model => {
    for (const show of shown) show(model)
  }
}

function createFigure(metric: Metric): (model: Model) => void {
  const value = make('strong', 'value')
  const change = make('span', 'change')
  const svg = draw('svg', { class: 'bands', 'aria-hidden': 'true' }) as SVGSVGElement
  find(`#${metric.id}`).append(
    make('h2', '', metric.title),
    make('p', 'figure', value, make('small', '', metric.unit)),
    change,
    svg,
  )
  return model => {
    const now = present(metric, model)
    setText(value, now === null ? '–' : format(metric, now))
    showChange(change, metric, model, now)
    drawBands(svg, metric, model)
  }
}

function present({ read }: Metric, { seconds, state }: Model): number | null {
  const values = seconds
    .slice(-SHOWN_SECONDS)
    .filter(({ step }) => step === state?.step)
    .flatMap(second => read(second) ?? [])
    .toSorted((one, other) => one - other)
  return values[values.length >> 1] ?? null
}

function showChange(element: HTMLElement, metric: Metric, model: Model, now: number | null): void {
  const { before } = model
  const comparison = model.comparisonOf(before?.number)
  const earlier = comparison ? metric.median(comparison) : null
  if (now === null || !before || !earlier) {
    element.dataset.is = 'none'
    return setText(element, '')
  }
  const { text, change } = compareValues(now, earlier)
  const isBetter = change === (metric.isLowerBetter ? 'less' : 'more')
  element.dataset.is = change === 'none' ? 'none' : isBetter ? 'better' : 'worse'
  setText(element, `${text} ${change === 'none' ? 'as' : 'than'} at step ${before.number}`)
}
