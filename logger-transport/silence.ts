import { readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { duration } from '../lib/cli/options.ts'
import { endedName, segmentNumber, WRITER_FILE } from './protocol.ts'

const LIMIT_MS = 60_000

export const silenceOption = duration({
  default: `${LIMIT_MS / 1000}s`,
  help: 'a writer that cannot be asked whether it lives, such as one on another machine, is taken for dead after this silence',
})

/** Takes over the directories of writers that cannot be asked whether they live, once they have been silent for a long time. */
export class Silences {
  readonly #limitMs: number
  readonly #known = new Map<string, Silence>()

  /** @param limitMs such a writer is believed to be dead after this many milliseconds of silence */
  constructor(limitMs = LIMIT_MS) {
    this.#limitMs = limitMs
  }

  /**
   * Renames the directory of a writer that is believed to be dead. If it lives all the same, it does not find its segments, and
   * continues in another directory.
   * @returns whether it was renamed
   * @throws if its `writer.json` does not exist
   */
  async takeOver(directory: string): Promise<boolean> {
    const silence = this.#known.get(directory) ?? new Silence()
    this.#known.set(directory, silence)
    if (silence.observe(await readSigns(directory), performance.now()) <= this.#limitMs) return false
    return rename(directory, endedName(directory)).then(
      () => true,
      () => false,
    )
  }

  /** Forgets all writers except those of the given directories. */
  keepOnly(directories: readonly string[]): void {
    for (const directory of this.#known.keys())
      if (!directories.includes(directory)) this.#known.delete(directory)
  }
}

/**
 * Returns a text that changes while a writer lives. It is made of the time at which the writer last touched its file,
 * and of the number and size of its last segment.
 */
async function readSigns(directory: string): Promise<string> {
  const { ctimeNs } = await stat(join(directory, WRITER_FILE), { bigint: true })
  const last = (await readdir(directory))
    .filter(name => segmentNumber(name) !== undefined)
    .sort()
    .at(-1)
  const size = last && (await stat(join(directory, last))).size
  return `${ctimeNs} ${last} ${size}`
}

/**
 * A longer time between two observations means that this process paused. It says nothing about the observed process.
 */
const LONGEST_STEP_MS = 1000

/**
 * Measures for how long another process has given no sign of life while this process observed it. Any change of the
 * observed sign is a sign of life, so clocks of other processes do not matter. If this process was stopped, alone or
 * together with the other, the stop adds at most a second to the silence.
 */
export class Silence {
  #sign: string | undefined
  #silentMs = 0
  #observedAtMs = 0

  /**
   * Records an observation.
   * @param sign a text that changes as long as the other process lives
   * @param nowMs the time of a clock that cannot be set, such as `performance.now()`, in milliseconds
   * @returns the length of the silence in milliseconds
   */
  observe(sign: string, nowMs: number): number {
    const stepMs = Math.min(nowMs - this.#observedAtMs, LONGEST_STEP_MS)
    this.#silentMs = sign === this.#sign ? this.#silentMs + stepMs : 0
    this.#sign = sign
    this.#observedAtMs = nowMs
    return this.#silentMs
  }
}
