import { setTimeout as delay } from 'node:timers/promises'

/** One thing that goes wrong on purpose, with the promises that must hold then. */
export interface Fault {
  readonly name: string
  /**
   * Makes the fault happen, for `seconds` if it has a duration, in a directory of its own.
   * @returns the outcome in a few words
   * @throws when a promise does not hold
   */
  run(directory: string, seconds: number, circumstances: Circumstances): Promise<string>
  /** Names the thing that this machine lacks to make the fault happen; undefined if it lacks nothing. */
  needs?(): string | undefined
  /** Its promises are about speed, in every run or in a full one only: no other fault runs beside it then. */
  readonly alone?: 'always' | 'in full'
  /** Duration of the fault in a full run. */
  readonly seconds: number
  /** Duration with `--quick`. The default is a second, or the full duration if that is shorter. */
  readonly quickSeconds?: number
}

/** The things that a fault is given. */
export interface Circumstances {
  /** Seed of all random choices. */
  readonly seed: number
  /** Reports progress in a few words. */
  progress(says: string): void
}

const SHORT_SECONDS = 1
/** After this time a condition is given up. */
const HOPELESS_MS = 120_000
const CHECK_EVERY_MS = 20

export const quickSeconds = (fault: Fault): number =>
  Math.min(fault.quickSeconds ?? SHORT_SECONDS, fault.seconds)

/**
 * Resolves once `condition` holds. It is checked fifty times a second: more often would take the CPU time that the other
 * processes need.
 * @throws when it does not hold within two minutes, which is enough on a busy machine
 */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endsAtMs = performance.now() + HOPELESS_MS
  while (!(await condition())) {
    if (performance.now() > endsAtMs)
      throw new Error(`in ${HOPELESS_MS / 1000} s it never held: ${condition}`)
    await delay(CHECK_EVERY_MS)
  }
}

/** Adds one to the count of this name. */
export function count(tally: Record<string, number>, name: string): void {
  tally[name] = (tally[name] ?? 0) + 1
}

/** A tally as text, such as `3 × 503, 1 × 502`; `none` if nothing was counted. */
export const renderTally = (tally: Readonly<Record<string, number>>): string =>
  Object.entries(tally)
    .map(([name, times]) => `${times} × ${name}`)
    .join(', ') || 'none'

export const total = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0)

/** What an error says in a tally: its code, or that of the error which caused it. */
export function codeOf(error: unknown): string {
  const { code, cause, message } = error as NodeJS.ErrnoException
  return code ?? (cause as NodeJS.ErrnoException | undefined)?.code ?? message
}
