import type { AppDescription } from '../pulse.ts'
import type { LiveMessage, Update } from '../update.ts'
import { createChart, type Line } from './chart.ts'
import { type ConnectionState, stayConnected } from './connection.ts'
import { createControls } from './controls.ts'
import { formatFigure, formatPercent } from './format.ts'
import { Lanes } from './lanes.ts'
import { Points } from './points.ts'
import { State } from './state.ts'
import { showComposition, showDetails, showPast } from './tables.ts'

/** What runs in the browser: updates come, figures and charts follow. */

/** Whoever asks for less motion sees the figures change, and the charts move rarely. */
const STILL_MS = 5000

const find = (selector: string) => document.querySelector(selector) as HTMLElement

/** While nothing comes, the time of the charts goes on all the same. */
const CLOCK_MS = 500

const state = new State()
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
      latencyLine('p99', 'client'),
      latencyLine('p50', 'client'),
      latencyLine('p99', 'server'),
      latencyLine('p50', 'server'),
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
let note: string | undefined
let hasFigures = false
let isAsked = false
let drawnAtMs = Number.NEGATIVE_INFINITY

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawCharts)
stayConnected({ lastMs: () => points.last?.atMs ?? 0, onMessage: take, onState: showState })

function take(message: LiveMessage): void {
  points.add(message)
  if (message.kind === 'history') showHistory(message)
  if (message.kind !== 'silence') askForFrame()
}

/** Figures of another sample do not belong to this note. */
function showHistory(history: LiveMessage & { kind: 'history' }): void {
  state.next = history.next
  if (note !== history.note) hasFigures = false
  note = history.note
  find('#note').textContent = note
  find('#note').title = note
}

function showState(told: ConnectionState): void {
  const wasLive = state.isLive
  state.show(told)
  hasFigures = told === 'live'
  if (!wasLive || !state.isLive) askForFrame()
}

setInterval(() => {
  if (!state.isLive && points.last) askForFrame()
}, CLOCK_MS)

function askForFrame(): void {
  if (isAsked) return
  isAsked = true
  requestAnimationFrame(show)
}

/** Once a frame, however many updates have come, and never while nobody sees the page. */
function show(): void {
  isAsked = false
  const update = hasFigures ? points.last : undefined
  showFigures(update)
  showFaults(update)
  if (points.last) showDetails(points.last)
  showApp(points.app)
  const isStill = prefersStillness.matches && performance.now() - drawnAtMs < STILL_MS
  if (!isStill) drawCharts()
  lanes.show(update)
}

function drawCharts(): void {
  drawnAtMs = performance.now()
  for (const chart of charts) chart.draw(points, view.rangeMs)
  lanes.draw(points, view.rangeMs)
  if ((find('#past') as HTMLDetailsElement).open) showPast(points, view.rangeMs)
}

find('#past').addEventListener('toggle', drawCharts)

/** Without an update of now there are no figures: those of before would look alive. */
function showFigures(update: Update | undefined): void {
  const figures = {
    goodput: formatFigure(update?.goodput),
    p50: formatFigure(update?.latencyMs?.p50),
    p99: formatFigure(update?.latencyMs?.p99),
    utilization: update ? formatPercent(update.utilization) : '–',
    cost: formatFigure(update?.costMicros),
    ceiling: formatFigure(update?.ceiling),
  }
  for (const [id, text] of Object.entries(figures)) find(`#${id}`).textContent = text
  if (!update) return
  for (const element of document.querySelectorAll('.seen-by'))
    element.textContent = update.latencyAt === 'client' ? ' at the client' : ' in the server'
}

/** What was made to go wrong, and for how much longer. */
function showFaults(update: Update | undefined): void {
  const left = update?.faults.filter(({ untilMs }) => untilMs > update.atMs) ?? []
  find('#faults').textContent = left
    .map(({ name, untilMs }) => `${name}, ${Math.ceil((untilMs - (update?.atMs ?? 0)) / 1000)} s left`)
    .join('; ')
}

/** One line a percentile and place: what clients see and what the server sees are never joined. */
function latencyLine(percentile: 'p50' | 'p99', place: Update['latencyAt']): Line {
  return {
    color: percentile,
    label: `${percentile} ${place === 'client' ? 'at the client' : 'in the server'}, in milliseconds`,
    read: ({ latencyAt, latencyMs }) => (latencyAt === place ? latencyMs?.[percentile] : null),
    isDashed: place === 'server',
  }
}

/** Its place on the ladder; off it, its name stands behind the last step. */
function showApp(app: AppDescription | undefined): void {
  if (!app || app.instance === shown?.instance) return
  shown = app
  const current = app.step === null ? app.name : `${app.step} ${app.name}`
  const rungs = [...new Set([...app.ladder, current])].map(name => {
    const rung = document.createElement('li')
    rung.textContent = name
    if (name === current) rung.ariaCurrent = 'step'
    return rung
  })
  find('#ladder').replaceChildren(...rungs)
  showComposition(app)
}
