import { AsyncLocalStorage } from 'node:async_hooks'
import fs, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import type { TestContext } from 'node:test'
import timers, { setImmediate as turn } from 'node:timers/promises'

const CALLS = [
  'access',
  'open',
  'readdir',
  'readFile',
  'rename',
  'rm',
  'stat',
  'utimes',
  'writeFile',
] as const
const PAUSE_CHANCE = 0.02
/** The writer's chance is higher, because it takes few steps. */
const WRITER_PAUSE_CHANCE = 0.15
/** A pause ends at the latest after the other actors have taken this many steps. */
const LONGEST_PAUSE_STEPS = 300
/** A pause ends after this many turns of the event loop even if the other actors take no steps. */
const LONGEST_PAUSE_TURNS = 1500
const SHORT_WRITE_CHANCE = 0.1
/** The transport's clock advances by this each time the transport waits for new lines. */
const POLL_MS = 500

type Call = (...args: readonly unknown[]) => Promise<unknown>

/**
 * Lets several actors of one process pause before and after each of their calls of the file system. A seed decides for
 * how many steps of the other actors a pause lasts. Writes may be short. No actor waits in real time: the clock
 * advances whenever the transport looks for new lines.
 */
export class Interleaving {
  readonly #actor = new AsyncLocalStorage<string>()
  readonly #random: () => number
  #paused: string | undefined
  #steps: Record<string, number> = {}
  #nowMs = 0

  constructor(t: TestContext, random: () => number) {
    this.#random = random
    for (const name of CALLS) {
      const original = (fs[name] as Call).bind(fs)
      t.mock.method(
        fs,
        name as 'access',
        (async (...args: readonly unknown[]) => {
          await this.#step()
          const result = await original(...args)
          await this.#step()
          return name === 'open' ? this.#shortWriting(result as FileHandle) : result
        }) as typeof fs.access,
      )
    }
    t.mock.method(timers, 'setTimeout', async () => {
      this.#nowMs += POLL_MS
      await this.#step()
    })
    t.mock.method(performance, 'now', () => this.#nowMs)
    const wait = globalThis.setTimeout
    const isShort = (ms: number | undefined) => (ms ?? 0) < 1000
    t.mock.method(globalThis, 'setTimeout', ((run: () => void, ms?: number) =>
      wait(run, isShort(ms) ? 0 : ms)) as typeof setTimeout)
    syncBuiltinESMExports()
    t.after(() => {
      t.mock.restoreAll()
      syncBuiltinESMExports()
    })
  }

  act<T>(name: string, run: () => Promise<T>): Promise<T> {
    this.#steps[name] = 0
    return this.#actor.run(name, run)
  }

  async #step(): Promise<void> {
    const actor = this.#actor.getStore()
    // Others in this process, such as what an earlier test has left, call the file system as ever.
    if (actor === undefined) return
    this.#steps[actor] = (this.#steps[actor] ?? 0) + 1
    await turn()
    // Only one actor pauses at a time, because two that wait for each other would wait for ever.
    while (this.#paused === actor) await turn()
    const chance = actor === 'writer' ? WRITER_PAUSE_CHANCE : PAUSE_CHANCE
    if (this.#paused !== undefined || this.#random() > chance) return
    this.#paused = actor
    const end = this.#stepsOfOthers(actor) + this.#random() * LONGEST_PAUSE_STEPS
    for (let turns = 0; this.#stepsOfOthers(actor) < end && turns < LONGEST_PAUSE_TURNS; turns++) await turn()
    this.#paused = undefined
  }

  #stepsOfOthers(actor: string): number {
    const others = Object.entries(this.#steps).filter(([name]) => name !== actor)
    return others.reduce((total, [, steps]) => total + steps, 0)
  }

  #shortWriting(file: FileHandle): FileHandle {
    const write = file.write.bind(file) as (
      bytes: Buffer,
      offset?: number,
      length?: number,
    ) => Promise<unknown>
    const shortWrite = async (bytes: Buffer, offset = 0) => {
      await this.#step()
      const length = bytes.length - offset
      return write(bytes, offset, this.#random() < SHORT_WRITE_CHANCE ? Math.ceil(length / 2) : length)
    }
    return Object.assign(file, { write: shortWrite })
  }
}
