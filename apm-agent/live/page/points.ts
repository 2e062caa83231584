import type { AppDescription } from '../pulse-protocol.ts'
import { HISTORY_MS, type LiveMessage, type Update } from '../update.ts'

/** A line is broken if there was no update for longer than this. */
const GAP_MS = 3000

/** The start of another app, or a fault with its start and end. */
export interface Mark {
  readonly atMs: number
  readonly untilMs?: number
  readonly label: string
}

/** The data of the page: the updates of ten minutes, which may come from several apm-agents in turn. */
export class Points {
  readonly #updates: Update[] = []
  readonly #apps = new Map<string, AppDescription>()
  /** The last time by apm-agent's clock, and the `performance.now()` at which it was received. */
  #heard: { readonly nowMs: number; readonly atMs: number } | undefined

  get last(): Update | undefined {
    return this.#updates.at(-1)
  }

  /** The present time by apm-agent's clock, even while apm-agent is silent. */
  get nowMs(): number {
    return this.#heard ? this.#heard.nowMs + performance.now() - this.#heard.atMs : Date.now()
  }

  /** The app of the last update. */
  get app(): AppDescription | undefined {
    return this.last && this.#apps.get(this.last.app)
  }

  add(message: LiveMessage): void {
    if (message.kind === 'history') {
      // apm-agent's clock was set back, so earlier updates no longer fit on the time axis.
      if (message.nowMs < (this.last?.atMs ?? 0)) this.#updates.length = 0
      this.#hear(message.nowMs)
      for (const app of message.apps) this.#apps.set(app.instance, app)
      for (const update of message.updates) this.#keep(update)
    } else if (message.kind === 'update') {
      if (message.app) this.#apps.set(message.app.instance, message.app)
      this.#keep(message.update)
      this.#hear(message.update.atMs)
    }
    this.#forget()
  }

  /** The updates from this time on, the oldest first. */
  since(atMs: number): readonly Update[] {
    const first = this.#updates.findIndex(update => update.atMs >= atMs)
    return first < 0 ? [] : this.#updates.slice(first)
  }

  nameOf({ app }: Update): string {
    const { step, name } = this.#apps.get(app) ?? { step: null, name: app }
    return step === null ? name : `${step} ${name}`
  }

  /** The marks from this time on, the earliest first. */
  marksSince(atMs: number): Mark[] {
    const marks = [...this.#appsSince(atMs), ...this.#faultsSince(atMs)]
    return marks.sort((one, other) => one.atMs - other.atMs)
  }

  /** The start of the app of the first known update is not marked, because it is not known. */
  #appsSince(atMs: number): Mark[] {
    return this.#updates.flatMap((update, index, updates) => {
      const before = updates[index - 1]
      const isMark = before && before.app !== update.app && update.atMs >= atMs
      return isMark ? [{ atMs: update.atMs, label: this.nameOf(update) }] : []
    })
  }

  /** Many updates contain the same fault; the last one has its final end. */
  #faultsSince(atMs: number): Mark[] {
    const marks = this.#updates.flatMap(({ app, faults }) =>
      faults.map(({ id, name, fromMs, untilMs }): [string, Mark] => [
        `${app} ${name} ${id}`,
        { atMs: fromMs, untilMs, label: name },
      ]),
    )
    return [...new Map(marks).values()].filter(({ untilMs = 0 }) => untilMs >= atMs)
  }

  #hear(nowMs: number): void {
    this.#heard = { nowMs, atMs: performance.now() }
  }

  /** An update that is not later than the last one is already known. */
  #keep(update: Update): void {
    if (update.atMs > (this.last?.atMs ?? 0)) this.#updates.push(update)
  }

  #forget(): void {
    const oldestMs = (this.last?.atMs ?? 0) - HISTORY_MS
    const kept = this.#updates.findIndex(({ atMs }) => atMs >= oldestMs)
    if (kept > 0) this.#updates.splice(0, kept)
    const shown = new Set(this.#updates.map(({ app }) => app))
    for (const instance of this.#apps.keys()) if (!shown.has(instance)) this.#apps.delete(instance)
  }
}

/** Times in seconds, and for each reader the values; null where updates are missing. */
export function toColumns(
  updates: readonly Update[],
  readers: readonly ((update: Update) => number | null | undefined)[],
): [number[], ...(number | null)[][]] {
  const times: number[] = []
  const columns = readers.map((): (number | null)[] => [])
  for (const [index, update] of updates.entries()) {
    const before = updates[index - 1]
    if (before && update.atMs - before.atMs > GAP_MS) {
      times.push((before.atMs + 1) / 1000)
      for (const column of columns) column.push(null)
    }
    times.push(update.atMs / 1000)
    for (const [at, read] of readers.entries()) columns[at]?.push(read(update) ?? null)
  }
  return [times, ...columns]
}
