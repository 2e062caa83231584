import type { ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { RunningClock } from '../../lib/os/running-time.ts'
import { ClientLatencies, type ClientReport } from './client-report.ts'
import { figuresOf } from './figures.ts'
import { Group, groupOf } from './group.ts'
import { History } from './history.ts'
import type { Delivered } from './ledger.ts'
import type { AppDescription, Pulse } from './pulse-protocol.ts'
import type { Update } from './update.ts'
import { serialize, Viewers } from './viewers.ts'

/** An app that sends no pulse for this time is treated as ended. */
const SILENT_AFTER_MS = 2000

interface LiveOptions {
  /** A sentence for people about the present run. */
  readonly note: string
  /** The sentence that is shown after this apm-agent has ended, when another will start. */
  readonly next?: string
  /** By default a clock of its own. Each clock wakes the process once a second. */
  readonly clock?: RunningClock
  /** @param isWatched whether a page is open, so that an up-to-date count is worth a request */
  readDelivered(instance: string, isWatched: boolean): Delivered
}

/** The app that is shown. */
interface Current {
  readonly group: Group
  readonly startedAtMs: number
  /**
   * The difference between the epoch and the monotonic clock of the app, in milliseconds. With it, a pulse that is read
   * late is shown at its own time.
   */
  readonly epochMs: number
}

/** Makes updates from pulses, keeps them for ten minutes, and sends them to open pages. */
export class Live {
  readonly #options: LiveOptions
  readonly #history = new History()
  readonly #viewers: Viewers
  readonly #clients = new ClientLatencies()
  readonly #silence: NodeJS.Timeout
  readonly #startedAtMs = timeOfDayMs()
  /** This clock does not count a pause of this process, so no app is taken for silent before its pulses were read. */
  readonly #clock: RunningClock
  #current: Current | undefined
  #note: string

  constructor(options: LiveOptions) {
    this.#options = options
    this.#note = options.note
    this.#clock = options.clock ?? new RunningClock()
    this.#viewers = new Viewers({
      after: atMs => this.#history.after(atMs),
      // The updates are already serialized.
      describe: ({ apps, updates }) => `${this.#describe(apps).slice(0, -2)}${updates.join()}]}`,
      nowMs: () => this.#clock.nowMs(),
    })
    this.#silence = setInterval(() => {
      if (this.#current?.group.isSilent() ?? true) this.#viewers.tell(serialize({ kind: 'silence' }))
      this.#viewers.lookAfter()
    }, SILENT_AFTER_MS).unref()
  }

  /** Takes a pulse. If there are several apps, the one that started last is shown, as long as it sends pulses. */
  take(pulse: Pulse): void {
    const { app } = pulse
    const current = this.#current
    if (current && groupOf(app) === current.group.app.instance) return this.#goOn(current, pulse)
    if (current && app.startedAtMs < current.startedAtMs && !current.group.isSilent()) return
    const group = new Group(app, SILENT_AFTER_MS, this.#startedAtMs, this.#clock)
    this.#current = { group, startedAtMs: app.startedAtMs, epochMs: timeOfDayMs() - pulse.atMs }
    group.take(pulse, this.#readDelivered)
  }

  /** Takes the latencies of clients from a load generator, and tells the pages what it asks for. */
  takeReport(report: ClientReport): void {
    this.#clients.take(report)
    if (report.note === undefined || report.note === this.#note) return
    this.#note = report.note
    this.#viewers.tell(this.#describe([]))
  }

  /**
   * @param afterMs the page has all updates up to this time, by the clock of `atMs`; a time in the future counts as 0
   */
  watch(response: ServerResponse, afterMs: number): void {
    this.#viewers.add(response, afterMs <= this.#nowMs() ? afterMs : 0)
  }

  close(): void {
    clearInterval(this.#silence)
    this.#clock.close()
    this.#viewers.close()
  }

  /** The first message of a connection, without any update. */
  #describe(apps: readonly AppDescription[]): string {
    const { next = '' } = this.#options
    const nowMs = Math.round(this.#nowMs())
    return serialize({ kind: 'history', note: this.#note, next, nowMs, apps, updates: [] })
  }

  #goOn({ group, epochMs }: Current, pulse: Pulse): void {
    const { app } = group
    if (!group.take(pulse, this.#readDelivered)) return
    const update: Update = {
      atMs: Math.max(Math.round(epochMs + pulse.atMs), this.#history.lastMs + 1),
      app: app.instance,
      ...figuresOf(group.windows(), this.#clients.figures()),
      ledger: group.ledger(instance => this.#options.readDelivered(instance, this.#viewers.areThere)),
      faults: pulse.faults.map(({ id, name, startedAtMs, endsAtMs }) => ({
        id,
        name,
        fromMs: Math.round(epochMs + startedAtMs),
        untilMs: Math.round(epochMs + endsAtMs),
      })),
    }
    const { json, isFirst } = this.#history.keep(update, app)
    const description = isFirst ? `"app":${JSON.stringify(app)},` : ''
    this.#viewers.tell(`{"kind":"update",${description}"update":${json}}`, update.atMs)
  }

  readonly #readDelivered = (instance: string) => this.#options.readDelivered(instance, true)

  #nowMs(): number {
    return Math.max(timeOfDayMs(), this.#history.lastMs)
  }
}

/** Milliseconds since the epoch. A change of the machine clock after the start of this process has no effect. */
const timeOfDayMs = (): number => performance.timeOrigin + performance.now()
