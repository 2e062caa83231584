import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { RunningClock } from '../../lib/os/running-time.ts'
import { readPage } from '../../screen/files.ts'
import { Hub } from '../../screen/hub.ts'
import { HISTORY_MS, type LiveMessage, UPDATE_INTERVAL_MS, type Update } from '../../screen/live-messages.ts'
import { type Frame, ProtocolError } from '../frames.ts'
import { readJson } from '../payloads.ts'
import { ClientLatencies, type ClientReport } from './client-report.ts'
import { figuresOf } from './figures.ts'
import { type Deliveries, Group, groupOf } from './group.ts'
import { isPulse, type Pulse } from './pulse-protocol.ts'

/** Ten minutes of an app with sixty threads fit; with more threads it is less time. */
const MAX_BYTES = 8 * 2 ** 20

interface LiveOptions {
  /** A sentence for people about the present run. */
  readonly note: string
  /** By default a clock of its own. Each clock wakes the process once a second. */
  readonly clock?: RunningClock
  readonly deliveries: Deliveries
}

/** The app that is shown. */
interface Current {
  readonly group: Group
  /**
   * The difference between the epoch and the monotonic clock of the app, in milliseconds. With it, a pulse that is read
   * late is shown at its own time.
   */
  readonly epochMs: number
}

/** Makes updates from pulses, keeps them for ten minutes, and sends them to open pages. */
export class Live {
  readonly #deliveries: Deliveries
  /** The stream of the pages. */
  readonly hub: Hub<LiveMessage>
  readonly #clients = new ClientLatencies()
  readonly #startedAtMs = timeOfDayMs()
  /** This clock does not count a pause of this process, so no app is taken for silent before its pulses were read. */
  readonly #clock: RunningClock
  #current: Current | undefined
  #note: string
  #lastMs = 0

  constructor(options: LiveOptions) {
    this.#deliveries = options.deliveries
    this.#note = options.note
    this.#clock = options.clock ?? new RunningClock()
    this.hub = new Hub<LiveMessage>({
      maxMessages: HISTORY_MS / UPDATE_INTERVAL_MS,
      maxBytes: MAX_BYTES,
      beat: () => ((this.#current?.group.isSilent() ?? true) ? { kind: 'silence' } : undefined),
    })
    this.#tellRun()
  }

  /** Takes a pulse. If there are several apps, the one that started last is shown, as long as it sends pulses. */
  take(pulse: Pulse): void {
    const { app } = pulse
    const current = this.#current
    const shown = current?.group.app
    if (current && groupOf(app) === shown?.instance) return this.#goOn(current, pulse)
    if (shown && app.startedAtMs < shown.startedAtMs && !current?.group.isSilent()) return
    const group = new Group(app, this.#startedAtMs, this.#clock, this.#deliveries)
    this.#current = { group, epochMs: timeOfDayMs() - pulse.atMs }
    group.take(pulse)
    this.hub.tell({ kind: 'app', app: group.app }, `app ${group.app.instance}`)
    this.#tellRun()
  }

  /** Takes the latencies of clients from a load generator, and tells the pages what it asks for. */
  takeReport(report: ClientReport): void {
    this.#clients.take(report)
    if (report.note === undefined || report.note === this.#note) return
    this.#note = report.note
    this.#tellRun()
  }

  close(): void {
    this.#clock.close()
    this.hub.close()
  }

  #tellRun(): void {
    this.hub.tell({ kind: 'run', note: this.#note }, 'run')
  }

  #goOn({ group, epochMs }: Current, pulse: Pulse): void {
    if (!group.take(pulse)) return
    this.#lastMs = Math.max(Math.round(epochMs + pulse.atMs), this.#lastMs + 1)
    const update: Update = {
      atMs: this.#lastMs,
      app: group.app.instance,
      ...figuresOf(group.windows(), this.#clients.figures()),
      ledger: group.ledger(this.hub.hasViewers),
      faults: pulse.faults.map(({ id, name, startedAtMs, endsAtMs }) => ({
        id,
        name,
        fromMs: Math.round(epochMs + startedAtMs),
        untilMs: Math.round(epochMs + endsAtMs),
      })),
    }
    this.hub.tell({ kind: 'update', update })
  }
}

/** Milliseconds since the epoch. A change of the machine clock after the start of this process has no effect. */
const timeOfDayMs = (): number => performance.timeOrigin + performance.now()

/** @throws ProtocolError */
export function readPulse(frame: Frame): Pulse {
  const given = readJson(frame)
  if (!isPulse(given)) throw new ProtocolError('content', 'a pulse that is none')
  return given
}

/** @throws UserError when the page has not been built */
export const readLivePage = () => readPage(join(import.meta.dirname, '../../screen/dist/live'))
