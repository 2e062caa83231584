import { format, isMeasured, type Metric, metricIds, metrics } from '../../metrics.ts'
import type { MetricId } from '../../stage-messages.ts'
import { describeChange, sayAgainst } from '../../words.ts'
import { draw, find, make, setText } from '../dom.ts'
import { drawBands } from './bands.ts'
import type { Model } from './model.ts'

/** The large figure is the median of these last seconds, so that a spike does not change it. */
const SHOWN_SECONDS = 3

/** Makes the large figures, each above its bands. @returns a function that shows the present values */
export function createFigures(): (model: Model) => void {
  const shown = metricIds.map(createFigure)
  return model => {
    for (const show of shown) show(model)
  }
}

function createFigure(id: MetricId): (model: Model) => void {
  const metric = metrics[id]
  const value = make('strong', 'value')
  const change = make('p', 'verdict')
  const svg = draw('svg', { class: 'bands', 'aria-hidden': 'true' }) as SVGSVGElement
  find(`#${id}`).append(
    make('h2', '', metric.title),
    make('p', 'figure', value, make('small', '', metric.unit)),
    change,
    svg,
  )
  return model => {
    const now = present(metric, model)
    setText(value, now === null ? '–' : format(metric, now))
    showChange(change, id, model)
    drawBands(svg, id, model)
  }
}

function present({ of }: Metric, { seconds, state }: Model): number | null {
  const values = seconds
    .slice(-SHOWN_SECONDS)
    .filter(({ step }) => step === state?.step)
    .filter(isMeasured)
    .flatMap(second => of([second]) ?? [])
    .toSorted((one, other) => one - other)
  return values[values.length >> 1] ?? null
}

/** Colour and size follow the verdict: without one, the text is small and grey. */
function showChange(element: HTMLElement, id: MetricId, { now, isBroken }: Model): void {
  const change = now?.changes[id]
  const said = change && describeChange(change)
  element.dataset.verdict = isBroken ? 'none' : (said?.verdict ?? 'none')
  if (isBroken) setText(element, 'does not count: something is broken')
  else setText(element, said ? sayAgainst(said, now.before) : '')
}
