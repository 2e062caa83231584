import { setTimeout as delay } from 'node:timers/promises'
import type { Usage } from '../../app/server/usage.ts'
import { bytesToMiB } from '../../lib/units.ts'
import type { Stack } from '../stack-parts.ts'

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
  /**
   * The faults that may run beside it: `many` if it mostly waits, `none` if its promises are about speed, `none in full` if a quick
   * run judges none of these. The default is as many as `--at-once` says.
   */
  readonly company?: 'many' | 'none' | 'none in full'
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

export const quickSeconds = (fault: Fault): number =>
  Math.min(fault.quickSeconds ?? SHORT_SECONDS, fault.seconds)

/**
 * Options of an app whose faults are not about overload. On a slow machine it lets requests wait, and does not refuse them
 * with 503.
 */
export const patient = { maxWaitMs: 10_000 }

/** The pause of a client between two requests if the fault needs answers all the time, and not the CPU time of all cores. */
export const PAUSE_MS = 20

/**
 * Runs clients in a closed loop until `stop` is called. `stop` answers how many requests succeeded, how many failed, and
 * how many failures there were of each kind.
 */
export function startRequests(url: string, clients = 8, pauseMs = 0) {
  let stopped = false
  let good = 0
  const failures: Record<string, number> = {}
  const loops = Array.from({ length: clients }, async () => {
    while (!stopped) {
      try {
        const response = await fetch(url)
        await response.arrayBuffer()
        if (response.ok) good++
        else count(failures, String(response.status))
        if (pauseMs > 0) await delay(pauseMs)
      } catch (error) {
        count(failures, (error as Error).name)
        // The server may be gone. Without a pause this would be a busy loop.
        await delay(10)
      }
    }
  })
  return {
    answers: () => good,
    async stop() {
      stopped = true
      await Promise.all(loops)
      const failed = Object.values(failures).reduce((sum, number) => sum + number, 0)
      return { good, failed, failures }
    },
  }
}

/**
 * Resolves once this number of requests in a row has succeeded. On a busy machine some that come soon after a fault fail: they wait
 * behind those that waited for its end.
 */
export async function untilNoneFails(url: string, answers: number, clients?: number): Promise<void> {
  await until(async () => {
    const requests = startRequests(url, clients)
    await until(() => requests.answers() > answers)
    return (await requests.stop()).failed === 0
  })
}

const CHECK_EVERY_MS = 20

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

/** Resident memory of the app in MiB. */
export async function residentMiB(stack: Stack): Promise<number> {
  const response = await fetch(`${stack.address('app', 'admin')}/usage`)
  return bytesToMiB(((await response.json()) as Usage).total.residentBytes)
}
