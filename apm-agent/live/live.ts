import type { ServerResponse } from 'node:http'
import { figuresOf } from './figures.ts'
import { type Delivered, Ledger } from './ledger.ts'
import { type AppDescription, PULSE_INTERVAL_MS, type Pulse } from './pulse.ts'
import { HISTORY_MS, PULSES_OF_AN_UPDATE, type Update } from './update.ts'
import { Viewers } from './viewers.ts'

const MAX_UPDATES = HISTORY_MS / PULSE_INTERVAL_MS
/** An app that says nothing for so long is taken to be gone. */
const SILENT_AFTER_MS = 2000

interface LiveOptions {
  /** What is going on, for people. */
  readonly note: string
  /** @param isWatched whether it is worth some work to know */
  readDelivered(instance: string, isWatched: boolean): Delivered
}

/** The app that is shown. */
interface Current {
  readonly app: AppDescription
  readonly ledger: Ledger
  readonly pulses: Pulse[]
  /** From the app's monotonic clock to milliseconds since the epoch: what is read late is shown when it was. */
  readonly epochMs: number
  heardAtMs: number
}

/** Makes updates of pulses, keeps those of ten minutes, and tells them to whoever watches. */
export class Live {
  readonly #options: LiveOptions
  readonly #viewers = new Viewers()
  readonly #updates: Update[] = []
  readonly #apps = new Map<string, AppDescription>()
  readonly #silence: NodeJS.Timeout
  readonly #startedAtMs = Date.now()
  #current: Current | undefined

  constructor(options: LiveOptions) {
    this.#options = options
    this.#silence = setInterval(() => {
      if (this.#isSilent()) this.#viewers.tell({ kind: 'silence' })
    }, SILENT_AFTER_MS).unref()
  }

  /** Of several apps the one that started last is shown, as long as it has something to say. */
  take(pulse: Pulse): void {
    const { app } = pulse
    const current = this.#current
    const isOlder = current && app.startedAtMs < current.app.startedAtMs
    if (isOlder && !this.#isSilent()) return
    if (app.instance === current?.app.instance) return this.#goOn(current, pulse)
    const ledger = new Ledger(pulse, app.startedAtMs > this.#startedAtMs)
    const epochMs = Date.now() - pulse.atMs
    this.#current = { app, ledger, pulses: [pulse], epochMs, heardAtMs: performance.now() }
    this.#options.readDelivered(app.instance, true)
  }

  /** @param afterMs the page has all updates until then, by the clock of `atMs` */
  watch(response: ServerResponse, afterMs: number): void {
    const updates = this.#updates.filter(({ atMs }) => atMs > afterMs)
    const shown = new Set(updates.map(({ app }) => app))
    const apps = [...this.#apps.values()].filter(({ instance }) => shown.has(instance))
    this.#viewers.add(response, { kind: 'history', note: this.#options.note, apps, updates })
  }

  get isFull(): boolean {
    return this.#viewers.isFull
  }

  close(): void {
    clearInterval(this.#silence)
    this.#viewers.close()
  }

  #isSilent(): boolean {
    return !this.#current || performance.now() - this.#current.heardAtMs > SILENT_AFTER_MS
  }

  #goOn(current: Current, pulse: Pulse): void {
    const { app, pulses, ledger, epochMs } = current
    current.heardAtMs = performance.now()
    if (pulse.atMs <= (pulses.at(-1) as Pulse).atMs) return
    pulses.push(pulse)
    if (pulses.length > PULSES_OF_AN_UPDATE) pulses.shift()
    const update: Update = {
      atMs: Math.max(Math.round(epochMs + pulse.atMs), (this.#updates.at(-1)?.atMs ?? 0) + 1),
      app: app.instance,
      ...figuresOf(pulses),
      ledger: ledger.figures(pulse, this.#options.readDelivered(app.instance, this.#viewers.areThere)),
    }
    this.#keep(update)
    if (this.#apps.has(app.instance)) return this.#viewers.tell({ kind: 'update', update })
    this.#apps.set(app.instance, app)
    this.#viewers.tell({ kind: 'update', app, update })
  }

  #keep(update: Update): void {
    this.#updates.push(update)
    if (this.#updates.length <= MAX_UPDATES) return
    const { app } = this.#updates.shift() as Update
    if (!this.#updates.some(update => update.app === app)) this.#apps.delete(app)
  }
}
