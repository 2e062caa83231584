import { type AppDescription, PULSE_INTERVAL_MS } from './pulse-protocol.ts'
import { HISTORY_MS, type Update } from './update.ts'

const MAX_UPDATES = HISTORY_MS / PULSE_INTERVAL_MS
/** Ten minutes of an app with sixty threads fit; with more threads it is less time. */
const MAX_BYTES = 8 * 2 ** 20
/** The size of a portion that is sent to a page at a time. */
const PORTION_BYTES = 64 * 2 ** 10

/** Some consecutive updates. */
export interface Portion {
  readonly apps: readonly AppDescription[]
  /** The updates as JSON, the oldest first. */
  readonly updates: readonly string[]
  /** The time of the last update in the portion; undefined if it is empty. */
  readonly lastMs: number | undefined
  readonly hasMore: boolean
}

interface Kept {
  readonly atMs: number
  readonly app: AppDescription
  readonly json: string
}

/** The updates of ten minutes. Each is serialized once, for all pages. */
export class History {
  readonly #kept: Kept[] = []
  #sizeBytes = 0

  /** The time of the last update; zero before the first. */
  get lastMs(): number {
    return this.#kept.at(-1)?.atMs ?? 0
  }

  /** @returns the update as JSON, and whether it is the first of its app */
  keep(update: Update, app: AppDescription): { json: string; isFirst: boolean } {
    const isFirst = !this.#kept.some(({ app: { instance } }) => instance === app.instance)
    const json = JSON.stringify(update)
    this.#kept.push({ atMs: update.atMs, app, json })
    this.#sizeBytes += json.length
    while (this.#kept.length > MAX_UPDATES || this.#sizeBytes > MAX_BYTES)
      this.#sizeBytes -= (this.#kept.shift() as Kept).json.length
    return { json, isFirst }
  }

  after(atMs: number): Portion {
    const first = this.#kept.findIndex(each => each.atMs > atMs)
    const chosen: Kept[] = []
    let left = first < 0 ? 0 : PORTION_BYTES
    for (let next = first; left > 0 && next < this.#kept.length; next++) {
      const kept = this.#kept[next] as Kept
      chosen.push(kept)
      left -= kept.json.length
    }
    const lastMs = chosen.at(-1)?.atMs
    return {
      apps: [...new Map(chosen.map(({ app }) => [app.instance, app])).values()],
      updates: chosen.map(({ json }) => json),
      lastMs,
      hasMore: lastMs !== undefined && lastMs < this.lastMs,
    }
  }
}
