import type { NatsConnection } from '@nats-io/transport-node'
import { monotonicMs } from '../../lib/units.ts'
import { isHeartbeat } from '../remote/checks.ts'
import { listenTo, publish } from '../remote/connect.ts'
import { HEARTBEAT_MS, type Heartbeat, SILENCE_MS, subjects } from '../remote/protocol.ts'

/** A worker answers a greeting within this time, or not at all. */
const ANSWER_LIMIT_MS = 500
/** Further workers are not heard. */
const MAX_WORKERS = 1000

interface Known {
  readonly heartbeat: Heartbeat
  readonly heardAtMs: number
}

/** The workers on other machines that an app hears of. */
export class KnownWorkers {
  readonly #connection: NatsConnection
  readonly #version: string
  readonly #onChange: (workers: KnownWorkers) => void
  readonly #note: (line: string) => void
  readonly #known = new Map<string, Known>()
  readonly #refused = new Set<string>()
  readonly #onHeard = new Set<(worker: string) => void>()
  readonly #timer: NodeJS.Timeout
  #nobodySinceMs = monotonicMs()

  /**
   * @param version of the tasks that the app needs
   * @param onChange called when the number of threads or slots has changed
   */
  constructor(
    connection: NatsConnection,
    version: string,
    onChange: (workers: KnownWorkers) => void,
    note: (line: string) => void,
  ) {
    this.#connection = connection
    this.#version = version
    this.#onChange = onChange
    this.#note = note
    this.#timer = setInterval(() => this.#forgetSilent(), HEARTBEAT_MS).unref()
    listenTo(connection, subjects.heartbeat, isHeartbeat, note, heartbeat => this.#hear(heartbeat))
  }

  /** The last heartbeat of each worker. */
  get all(): readonly Heartbeat[] {
    return [...this.#known.values()].map(({ heartbeat }) => heartbeat)
  }

  get threads(): number {
    return this.all.reduce((sum, { threads }) => sum + threads, 0)
  }

  get slots(): number {
    return this.all.reduce((sum, { slots }) => sum + slots, 0)
  }

  /** How long there has been no worker; 0 if there is one. */
  absentMs(): number {
    return this.#known.size > 0 ? 0 : monotonicMs() - this.#nobodySinceMs
  }

  /** Tells all workers that this app is there. They answer with a heartbeat. */
  greet(): void {
    publish(this.#connection, subjects.hello)
  }

  /** Resolves once every worker has sent its present state. One that does not answer is left as it was. */
  refresh(): Promise<void> {
    const silent = new Set(this.#known.keys())
    if (silent.size === 0) return Promise.resolve()
    this.greet()
    return new Promise(resolve => {
      const end = () => {
        clearTimeout(timer)
        this.#onHeard.delete(strikeOff)
        resolve()
      }
      const strikeOff = (worker: string) => void (silent.delete(worker) && silent.size === 0 && end())
      const timer = setTimeout(end, ANSWER_LIMIT_MS)
      this.#onHeard.add(strikeOff)
    })
  }

  #hear(heartbeat: Heartbeat): void {
    const { worker, tasks, slots } = heartbeat
    if (tasks !== this.#version) return this.#refuse(heartbeat)
    const before = this.#known.get(worker)?.heartbeat
    if (!before && this.#known.size >= MAX_WORKERS) return
    if (slots === 0) this.#remove(worker)
    else this.#known.set(worker, { heartbeat, heardAtMs: monotonicMs() })
    for (const listener of this.#onHeard) listener(worker)
    if (before?.slots !== slots) this.#onChange(this)
  }

  /** Forgets all workers, because the connection is lost. */
  forget(): void {
    for (const worker of this.#known.keys()) this.#remove(worker)
    this.#onChange(this)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #forgetSilent(): void {
    const since = monotonicMs() - SILENCE_MS
    const silent = [...this.#known].filter(([, { heardAtMs }]) => heardAtMs < since)
    for (const [worker] of silent) this.#remove(worker)
    if (silent.length > 0) this.#onChange(this)
  }

  #remove(worker: string): void {
    this.#known.delete(worker)
    if (this.#known.size === 0) this.#nobodySinceMs = monotonicMs()
  }

  #refuse({ worker, tasks }: Heartbeat): void {
    if (this.#refused.has(worker) || this.#refused.size >= MAX_WORKERS) return
    this.#refused.add(worker)
    this.#note(
      `refused: worker ${worker} has ${tasks}, and this app has ${this.#version}; it gets no jobs of this app`,
    )
  }
}
