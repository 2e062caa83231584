import type { AppDescription } from '../pulse.ts'
import type { LiveMessage, Update } from '../update.ts'
import { createChart } from './chart.ts'
import { type ConnectionState, stayConnected } from './connection.ts'
import { createControls } from './controls.ts'
import { formatFigure, formatPercent } from './format.ts'
import { Lanes } from './lanes.ts'
import { Points } from './points.ts'
import { showComposition, showDetails, showPast } from './tables.ts'

/** What runs in the browser: updates come, figures and charts follow. */

/** Whoever asks for less motion sees the figures change, and the charts move rarely. */
const STILL_MS = 5000

const find = (selector: string) => document.querySelector(selector) as HTMLElement

const states: Readonly<Record<ConnectionState, string>> = {
  live: 'Live',
  silent: 'No app reports to apm-agent; waiting for one …',
  stalled: 'apm-agent says nothing; connecting again …',
  lost: 'apm-agent is away; connecting again …',
}

const points = new Points()
const lanes = new Lanes(find('#lanes'))
const charts = [
  createChart(find('#throughput'), {
    hasAxes: true,
    lines: [
      { color: 'goodput', label: 'Good answers a second', read: ({ goodput }) => goodput, fill: true },
      { color: 'bad', label: 'Bad answers a second', read: ({ bad }) => bad },
    ],
  }),
  createChart(find('#latency'), {
    hasAxes: true,
    lines: [
      { color: 'p99', label: 'p99 in milliseconds', read: ({ latencyMs }) => latencyMs?.p99 },
      { color: 'p50', label: 'p50 in milliseconds', read: ({ latencyMs }) => latencyMs?.p50 },
    ],
  }),
  createChart(find('#cost-chart'), {
    hasAxes: true,
    lines: [
      { color: 'main', label: 'Microseconds a request', read: ({ costMicros }) => costMicros, fill: true },
    ],
  }),
  createChart(find('#delay'), {
    hasAxes: true,
    lines: [{ color: 'p99', label: 'p99 in milliseconds', read: ({ delayMs }) => delayMs?.p99 }],
  }),
]
const view = createControls(drawCharts)
const prefersStillness = matchMedia('(prefers-reduced-motion: reduce)')
let shown: AppDescription | undefined
let isAsked = false
let drawnAtMs = Number.NEGATIVE_INFINITY

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawCharts)
stayConnected({ lastMs: () => points.last?.atMs ?? 0, onMessage: take, onState: showState })

function take(message: LiveMessage): void {
  points.add(message)
  if (message.kind === 'history') find('#note').textContent = message.note
  if (message.kind === 'silence' || isAsked) return
  isAsked = true
  requestAnimationFrame(show)
}

/** Once a frame, however many updates have come, and never while nobody sees the page. */
function show(): void {
  isAsked = false
  if (!points.last) return
  showFigures(points.last)
  showDetails(points.last)
  showApp(points.app)
  const isStill = prefersStillness.matches && performance.now() - drawnAtMs < STILL_MS
  if (isStill) lanes.show(points)
  else drawCharts()
}

function drawCharts(): void {
  drawnAtMs = performance.now()
  for (const chart of charts) chart.draw(points, view.rangeMs)
  lanes.draw(points, view.rangeMs)
  if ((find('#past') as HTMLDetailsElement).open) showPast(points, view.rangeMs)
}

find('#past').addEventListener('toggle', drawCharts)

function showFigures({ goodput, latencyMs, utilization, costMicros, ceiling }: Update): void {
  const figures = {
    goodput: formatFigure(goodput),
    p50: formatFigure(latencyMs?.p50),
    p99: formatFigure(latencyMs?.p99),
    utilization: formatPercent(utilization),
    cost: formatFigure(costMicros),
    ceiling: formatFigure(ceiling),
  }
  for (const [id, text] of Object.entries(figures)) find(`#${id}`).textContent = text
}

/** Its place on the ladder; off it, its name stands behind the last step. */
function showApp(app: AppDescription | undefined): void {
  if (!app || app.instance === shown?.instance) return
  shown = app
  const names = app.step === null ? [...app.ladder, app.name] : app.ladder
  const rungs = names.map((name, number) => {
    const rung = document.createElement('li')
    rung.textContent = number < app.ladder.length ? `${number} ${name}` : name
    if (number === (app.step ?? app.ladder.length)) rung.ariaCurrent = 'step'
    return rung
  })
  find('#ladder').replaceChildren(...rungs)
  showComposition(app)
}

/** Said aloud, so only when it changes. */
function showState(state: ConnectionState): void {
  const element = find('#connection')
  if (element.dataset.state === state) return
  element.dataset.state = state
  element.textContent = states[state]
}
