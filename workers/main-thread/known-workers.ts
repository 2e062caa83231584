import { monotonicMs } from '../../lib/units.ts'
import { HEARTBEAT_MS, type Heartbeat, SILENCE_MS } from '../remote/protocol.ts'

interface Known {
  readonly heartbeat: Heartbeat
  readonly heardAtMs: number
}

/** The workers on other machines that an app hears of. */
export class KnownWorkers {
  readonly #version: string
  readonly #onChange: (workers: KnownWorkers) => void
  readonly #note: (line: string) => void
  readonly #known = new Map<string, Known>()
  readonly #refused = new Set<string>()
  readonly #timer: NodeJS.Timeout
  #nobodySinceMs = monotonicMs()

  /**
   * @param version the tasks that the app needs
   * @param onChange called when the number of threads or slots has changed
   */
  constructor(version: string, onChange: (workers: KnownWorkers) => void, note: (line: string) => void) {
    this.#version = version
    this.#onChange = onChange
    this.#note = note
    this.#timer = setInterval(() => this.#forgetSilent(), HEARTBEAT_MS).unref()
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

  hear(heartbeat: Heartbeat): void {
    const { worker, tasks, slots } = heartbeat
    if (tasks !== this.#version) return this.#refuse(heartbeat)
    const before = this.#known.get(worker)?.heartbeat
    if (slots === 0) this.#remove(worker)
    else this.#known.set(worker, { heartbeat, heardAtMs: monotonicMs() })
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
    if (this.#refused.has(worker)) return
    this.#refused.add(worker)
    this.#note(
      `refused: worker ${worker} has ${tasks}, and this app has ${this.#version}; it gets no jobs of this app`,
    )
  }
}
