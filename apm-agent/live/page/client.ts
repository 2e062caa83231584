import type { AppDescription } from '../pulse-protocol.ts'
import type { LiveMessage, Update } from '../update.ts'
import { createCharts } from './charts.ts'
import { type ConnectionState, stayConnected } from './connection.ts'
import { createControls } from './controls.ts'
import { Lanes } from './lanes.ts'
import { createLargeFigures, showPlace } from './large-figures.ts'
import { Points } from './points.ts'
import { State } from './state.ts'
import { showComposition, showDetails, showEvents, showPast } from './tables.ts'

/** The script of the live page: it takes updates and shows them as figures and charts. */

/** The interval at which charts move for a reader who prefers less motion; figures change as always. */
const STILL_MS = 5000

const find = (selector: string) => document.querySelector(selector) as HTMLElement

/** The time axis moves at this interval even while no update comes. */
const CLOCK_MS = 500

const state = new State()
const points = new Points()
const lanes = new Lanes(find('#lanes'), drawAgain)
const charts = createCharts(find('#charts'))
const showFigures = createLargeFigures(find('#figures'))
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

/** A new note announces another sample: figures of the sample before are hidden. */
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

/** Draws everything in the next frame, also for a reader who prefers less motion. */
function drawAgain(): void {
  drawnAtMs = Number.NEGATIVE_INFINITY
  askForFrame()
}

/** Runs once per frame, however many updates have come, and never while the page is hidden. */
function show(): void {
  isAsked = false
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
  for (const chart of charts) chart.draw(points, view.rangeMs)
  lanes.draw(points, view.rangeMs)
  showEvents(points, view.rangeMs)
  if ((find('#past') as HTMLDetailsElement).open) showPast(points, view.rangeMs)
}

find('#past').addEventListener('toggle', drawCharts)

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
    const rung = document.createElement('li')
    rung.textContent = name
    if (name === current) rung.ariaCurrent = 'step'
    if (!app.ladder.includes(name)) rung.className = 'other'
    return rung
  })
  find('#ladder').replaceChildren(...rungs)
  showComposition(app)
}
