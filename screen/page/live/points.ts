import { type AppDescription, HISTORY_MS, type LiveMessage, type Update } from '../../live-messages.ts'
import type { Line } from './line.ts'

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
  /** The last time that apm-agent has told; earlier updates may follow it. */
  #toldMs = 0

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
    if (message.kind === 'hello') {
      // The clock was set back, so earlier updates no longer fit on the time axis.
      if (message.nowMs < (this.last?.atMs ?? 0) - GAP_MS) this.#updates.length = 0
      this.#toldMs = message.nowMs
      this.#heard = { nowMs: message.nowMs, atMs: performance.now() }
    } else if (message.kind === 'app') this.#apps.set(message.app.instance, message.app)
    else if (message.kind === 'update') this.#keep(message.update)
  }

  /** Whether a message is the last update, and is about the present. */
  isLast(message: LiveMessage): boolean {
    return message.kind === 'update' && message.update === this.last && this.last.atMs > this.#toldMs - GAP_MS
  }

  /** The last updates of the app that runs. A thread that is being replaced is in one of them. */
  get present(): readonly Update[] {
    const { last } = this
    return last ? this.since(last.atMs - GAP_MS).filter(({ app }) => app === last.app) : []
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

  /** An update that is not later than the last one is already known. */
  #keep(update: Update): void {
    if (update.atMs <= (this.last?.atMs ?? 0)) return
    this.#updates.push(update)
    if (!this.#heard || update.atMs > this.nowMs)
      this.#heard = { nowMs: update.atMs, atMs: performance.now() }
    while ((this.#updates[0] as Update).atMs < update.atMs - HISTORY_MS) this.#forgetFirst()
  }

  #forgetFirst(): void {
    const { app } = this.#updates.shift() as Update
    if (!this.#updates.some(update => update.app === app)) this.#apps.delete(app)
  }
}

/** Times in seconds, and the values of each line; null where updates are missing, and in all of a line that is zero all the time. */
export function toColumns(
  lines: readonly Line[],
  updates: readonly Update[],
): [number[], ...(number | null)[][]] {
  const times: number[] = []
  const columns = lines.map((): (number | null)[] => [])
  for (const [index, update] of updates.entries()) {
    const before = updates[index - 1]
    if (before && update.atMs - before.atMs > GAP_MS) {
      times.push((before.atMs + 1) / 1000)
      for (const column of columns) column.push(null)
    }
    times.push(update.atMs / 1000)
    for (const [at, { read }] of lines.entries()) columns[at]?.push(read(update) ?? null)
  }
  return [times, ...columns.map(column => (column.some(Boolean) ? column : column.map(() => null)))]
}
