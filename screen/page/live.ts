import type { AppDescription, LiveMessage, Update } from '../live-messages.ts'
import { type ConnectionState, stayConnected } from './connection.ts'
import { Choices, createTheme, onButton } from './controls.ts'
import { find, make, oncePerFrame, setText } from './dom.ts'
import { groupLanes, Lanes } from './lanes.ts'
import { createChart } from './live/chart.ts'
import { createCharts } from './live/charts.ts'
import { createLargeFigures, showPlace } from './live/large-figures.ts'
import { Points } from './live/points.ts'
import { showComposition, showDetails, showEvents } from './live/tables.ts'

/** The script of the layout for one reader: it takes updates and shows them as figures and charts. */

/** The interval at which charts move for a reader who prefers less motion; figures change as always. */
const STILL_MS = 5000
/** The time axis moves at this interval even while no update comes. */
const CLOCK_MS = 500
/** From this number on, the threads of a kind share a lane. */
const FOLD_FROM = 4
const RANGES_MINUTES = ['2', '5', '10'] as const

const states: Readonly<Record<ConnectionState, string>> = {
  live: 'Live',
  silent: 'No app is reporting',
  stalled: 'apm-agent does not respond',
  lost: 'No connection to apm-agent',
  full: 'Too many live pages are open',
}
const { dataset } = document.documentElement

const points = new Points()
const askForFrame = oncePerFrame(show)
const lanes = new Lanes(find('#lanes'), ({ element, label, kind, shareIn }) => {
  const read = (update: Update) => toPercent(shareIn(update))
  const line = { color: kind, label: `${label}, percent of a core`, read, fill: true }
  return createChart(element, { lines: [line], max: 100, hasAxes: false })
})
const charts = createCharts(find('#charts'))
const showFigures = createLargeFigures(find('#figures'))
const choices = new Choices(() => {
  showChoices()
  drawCharts()
})
const showTheme = createTheme(choices)
const range = onButton('#range', () => choices.next('minutes', RANGES_MINUTES))
const prefersStillness = matchMedia('(prefers-reduced-motion: reduce)')
let shown: AppDescription | undefined
let note: string | undefined
let hasFigures = false
let drawnAtMs = Number.NEGATIVE_INFINITY

showChoices()
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawCharts)
stayConnected<LiveMessage>(take, showState)

function take(message: LiveMessage): void {
  points.add(message)
  if (message.kind === 'run') showRun(message)
  if (message.kind === 'silence') return showState('silent')
  if (points.isLast(message)) showState('live')
  askForFrame()
}

/** A new note announces another sample: figures of the sample before are hidden. */
function showRun(run: LiveMessage & { kind: 'run' }): void {
  if (note !== run.note) hasFigures = false
  note = run.note
  setText(find('#note'), note)
  find('#note').title = note
}

function showState(told: ConnectionState): void {
  const wasLive = dataset.state === 'live'
  dataset.state = told
  setText(find('#connection'), states[told])
  hasFigures = told === 'live'
  if (!wasLive || !hasFigures) askForFrame()
}

setInterval(() => {
  if (dataset.state !== 'live' && points.last) askForFrame()
}, CLOCK_MS)

/** Runs once per frame, however many updates have come, and never while the page is hidden. */
function show(): void {
  const update = hasFigures ? points.last : undefined
  showFigures(update)
  if (update) showPlace(update)
  showFaults(update)
  if (points.last) showDetails(points.last)
  showApp(points.app)
  const isStill = prefersStillness.matches && performance.now() - drawnAtMs < STILL_MS
  if (!isStill) drawCharts()
  lanes.show(update)
}

function drawCharts(): void {
  drawnAtMs = performance.now()
  const rangeMs = Number(choices.get('minutes', RANGES_MINUTES)) * 60_000
  const strips = lanes.arrange(groupLanes(points.present, FOLD_FROM))
  for (const chart of [...charts, ...strips]) chart.draw(points, rangeMs)
  showEvents(points, rangeMs)
}

function showChoices(): void {
  range.firstChild?.replaceWith(`Range: ${choices.get('minutes', RANGES_MINUTES)} min `)
  showTheme()
}

/** Names the faults that are on, with their remaining time. */
function showFaults(update: Update | undefined): void {
  const left = update?.faults.filter(({ untilMs }) => untilMs > update.atMs) ?? []
  find('#faults').textContent = left
    .map(({ name, untilMs }) => `${name}, ${Math.ceil((untilMs - (update?.atMs ?? 0)) / 1000)} s left`)
    .join('; ')
}

/** Marks the app's step on the ladder; a composition that is not a step is listed after the last one. */
function showApp(app: AppDescription | undefined): void {
  if (!app || app.instance === shown?.instance) return
  shown = app
  const current = app.step === null ? app.name : `${app.step} ${app.name}`
  const rungs = [...new Set([...app.ladder, current])].map(name => {
    const rung = make('li', 'rung', name)
    if (name === current) rung.ariaCurrent = 'step'
    return rung
  })
  find('#ladder').replaceChildren(...rungs)
  showComposition(app)
}

const toPercent = (share: number | null) => (share === null ? null : share * 100)
