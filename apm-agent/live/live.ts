import type { ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { RunningClock } from '../../lib/running-time.ts'
import { ClientLatencies, type ClientReport } from './client-report.ts'
import { figuresOf } from './figures.ts'
import { Group, groupOf } from './group.ts'
import { History } from './history.ts'
import type { Delivered } from './ledger.ts'
import type { Pulse } from './pulse.ts'
import type { Update } from './update.ts'
import { serialize, Viewers } from './viewers.ts'

/** An app that says nothing for so long is taken to be gone. */
const SILENT_AFTER_MS = 2000

interface LiveOptions {
  /** What is going on, for people. */
  readonly note: string
  /** The same, for when this apm-agent is gone and another will come. */
  readonly next?: string
  /** @param isWatched whether it is worth some work to know */
  readDelivered(instance: string, isWatched: boolean): Delivered
}

/** The app that is shown. */
interface Current {
  readonly group: Group
  readonly startedAtMs: number
  /** From the app's monotonic clock to milliseconds since the epoch: what is read late is shown when it was. */
  readonly epochMs: number
}

/** Makes updates of pulses, keeps those of ten minutes, and tells them to whoever watches. */
export class Live {
  readonly #options: LiveOptions
  readonly #history = new History()
  readonly #viewers: Viewers
  readonly #clients = new ClientLatencies()
  readonly #silence: NodeJS.Timeout
  readonly #startedAtMs = timeOfDayMs()
  /** After a pause of this process nobody is silent who has not been read yet. */
  readonly #clock = new RunningClock()
  #current: Current | undefined

  constructor(options: LiveOptions) {
    this.#options = options
    this.#viewers = new Viewers({
      after: atMs => this.#history.after(atMs),
      describe: ({ apps, updates }) => {
        const { note, next = '' } = options
        const history = serialize({
          kind: 'history',
          note,
          next,
          nowMs: Math.round(this.#nowMs()),
          apps,
          updates: [],
        })
        // They are serialized already.
        return `${history.slice(0, -2)}${updates.join()}]}`
      },
      nowMs: () => this.#clock.nowMs(),
    })
    this.#silence = setInterval(() => {
      if (this.#current?.group.isSilent() ?? true) this.#viewers.tell(serialize({ kind: 'silence' }))
      this.#viewers.lookAfter()
    }, SILENT_AFTER_MS).unref()
  }

  /** Of several apps the one that started last is shown, as long as it has something to say. */
  take(pulse: Pulse): void {
    const { app } = pulse
    const current = this.#current
    if (current && groupOf(app) === current.group.app.instance) return this.#goOn(current, pulse)
    if (current && app.startedAtMs < current.startedAtMs && !current.group.isSilent()) return
    const group = new Group(app, SILENT_AFTER_MS, this.#startedAtMs, this.#clock)
    this.#current = { group, startedAtMs: app.startedAtMs, epochMs: timeOfDayMs() - pulse.atMs }
    group.take(pulse, this.#readDelivered)
  }

  /** What clients saw, told by a load generator. */
  takeReport(report: ClientReport): void {
    this.#clients.take(report)
  }

  /** @param afterMs the page has all updates until then, by the clock of `atMs`; what is to come nobody has */
  watch(response: ServerResponse, afterMs: number): void {
    this.#viewers.add(response, afterMs <= this.#nowMs() ? afterMs : 0)
  }

  close(): void {
    clearInterval(this.#silence)
    this.#clock.close()
    this.#viewers.close()
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

/** In milliseconds since the epoch, by the clock of the machine when this process started: it may be set meanwhile. */
const timeOfDayMs = (): number => performance.timeOrigin + performance.now()
