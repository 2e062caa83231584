import type { AppDescription } from '../pulse.ts'
import { HISTORY_MS, type LiveMessage, type Update } from '../update.ts'

/** Longer than this without an update, and a line is broken. */
const GAP_MS = 3000

/** Where another app begins, or a fault, which also ends. */
export interface Mark {
  readonly atMs: number
  readonly untilMs?: number
  readonly label: string
}

/** What the page knows: the updates of ten minutes, of whichever apm-agents they came from. */
export class Points {
  readonly #updates: Update[] = []
  readonly #apps = new Map<string, AppDescription>()
  /** What apm-agent's clock said last, and when by `performance.now()`. */
  #heard: { readonly nowMs: number; readonly atMs: number } | undefined

  get last(): Update | undefined {
    return this.#updates.at(-1)
  }

  /** What time it is for apm-agent, also while it says nothing. */
  get nowMs(): number {
    return this.#heard ? this.#heard.nowMs + performance.now() - this.#heard.atMs : Date.now()
  }

  /** The app of the last update. */
  get app(): AppDescription | undefined {
    return this.last && this.#apps.get(this.last.app)
  }

  add(message: LiveMessage): void {
    if (message.kind === 'history') {
      // Its clock was set back: what came before has no place in time any more.
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

  /** The oldest first. */
  since(atMs: number): readonly Update[] {
    const first = this.#updates.findIndex(update => update.atMs >= atMs)
    return first < 0 ? [] : this.#updates.slice(first)
  }

  nameOf({ app }: Update): string {
    const { step, name } = this.#apps.get(app) ?? { step: null, name: app }
    return step === null ? name : `${step} ${name}`
  }

  /** The earliest first. */
  marksSince(atMs: number): Mark[] {
    const marks = [...this.#appsSince(atMs), ...this.#faultsSince(atMs)]
    return marks.sort((one, other) => one.atMs - other.atMs)
  }

  /** The app of the first update that is known begins nowhere: it was there before. */
  #appsSince(atMs: number): Mark[] {
    return this.#updates.flatMap((update, index, updates) => {
      const before = updates[index - 1]
      const isMark = before && before.app !== update.app && update.atMs >= atMs
      return isMark ? [{ atMs: update.atMs, label: this.nameOf(update) }] : []
    })
  }

  /** Many updates tell of the same fault; the last knows best when it ended. */
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

  /** What is not later than the last is known already. */
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

/** Times in seconds and, for each reader, the values; nothing where updates are missing. */
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
