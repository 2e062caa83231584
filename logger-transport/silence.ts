import { readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { duration } from '../lib/cli/options.ts'
import { endedName, segmentNumber, WRITER_FILE } from './protocol.ts'

const LIMIT_MS = 60_000

export const silenceOption = duration({
  default: `${LIMIT_MS / 1000}s`,
  help: 'a writer that cannot be asked whether it lives, such as one on another machine, is taken for dead after this silence',
})

/** A longer time between two observations means that this process paused. It says nothing about the observed process. */
const LONGEST_STEP_MS = 1000

/** A writer's sign of life, which is a text that changes while the writer lives, and for how long it has not changed. */
interface Silence {
  readonly sign: string
  readonly silentMs: number
  readonly observedAtMs: number
}

/**
 * Takes over the directories of writers that cannot be asked whether they live, once they have been silent for a long time. Any change
 * of the observed sign is a sign of life, so clocks of other processes do not matter. If this process was stopped, alone or together
 * with a writer, the stop adds at most a second to the silence.
 */
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
    const silentMs = this.observe(directory, await readSigns(directory), performance.now())
    if (silentMs <= this.#limitMs) return false
    return rename(directory, endedName(directory)).then(
      () => true,
      () => false,
    )
  }

  /**
   * Records an observation.
   * @param nowMs the time of a clock that cannot be set, such as `performance.now()`, in milliseconds
   * @returns the length of the silence in milliseconds
   */
  observe(directory: string, sign: string, nowMs: number): number {
    const last = this.#known.get(directory)
    const stepMs = Math.min(nowMs - (last?.observedAtMs ?? nowMs), LONGEST_STEP_MS)
    const silentMs = last?.sign === sign ? last.silentMs + stepMs : 0
    this.#known.set(directory, { sign, silentMs, observedAtMs: nowMs })
    return silentMs
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
