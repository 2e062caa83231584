import { setTimeout as delay } from 'node:timers/promises'
import { seededRandom, shuffled } from '../../lib/random.ts'
import { formatDuration } from '../../lib/units.ts'
import { UserError } from '../../lib/user-error.ts'
import { type Stack, startStack } from '../../stack/stack.ts'
import { findNode } from '../nodes/installed.ts'
import { readEnvironment } from '../outcome/environment.ts'
import { resultsFile, saveResults } from '../outcome/results-file.ts'
import type { Row } from '../sample/rows.ts'
import type { IdleResults, IdleSample, IdleSettings } from './results.ts'
import { summarizeIdle } from './summarize.ts'
import { type ProcessUse, perSecond, readProcess } from './threads.ts'

/** A guess of the time to start and stop a stack. */
const OVERHEAD_SECONDS = 4

/** Everything that a run does outside of its own memory; tests put their own in its place. */
export interface IdleInstruments {
  readonly watch: typeof watchIdle
  readonly save: (results: IdleResults) => void
}

/**
 * Measures every row that runs once a round, in an order drawn for the round, and saves the results after every sample.
 * @returns the results so far when `abort` is aborted
 * @throws UserError when the system does not tell how much an idle thread uses
 */
export async function runIdle(
  rows: readonly Row[],
  settings: IdleSettings,
  abort: AbortSignal,
  { watch, save }: IdleInstruments = { watch: watchIdle, save: saveResults },
): Promise<IdleResults> {
  const { rounds, settleSeconds, windowSeconds, seed } = settings
  requireProc()
  const environment = readEnvironment(rows)
  const running = rows.filter(({ didNotRun }) => didNotRun === undefined)
  const samples = new Map(rows.map((row): [Row, IdleSample[]] => [row, []]))
  const results = (partial: boolean): IdleResults => ({
    schemaVersion: 1,
    kind: 'idle',
    partial,
    environment,
    settings,
    rows: rows.map(row => summarizeIdle(row, samples.get(row) ?? [])),
  })
  const seconds = rounds * running.length * (settleSeconds + windowSeconds + OVERHEAD_SECONDS)
  process.stderr.write(
    `${rounds} rounds of ${running.length} idle stacks, about ${formatDuration(seconds * 1000)}; results go to ${resultsFile({ environment })}\n`,
  )
  try {
    for (let round = 1; round <= rounds; round++) {
      for (const row of shuffled(running, seededRandom(seed * 1000 + round))) {
        const processes = await watch(row, settings, abort)
        samples.get(row)?.push({ round, valid: true, reason: null, processes })
        save(results(true))
        process.stderr.write(`[round ${round}/${rounds}] ${row.name}\n`)
      }
    }
  } catch (error) {
    if (!abort.aborted) throw error
    return results(true)
  }
  save(results(false))
  return results(false)
}

function requireProc(): void {
  try {
    readProcess(process.pid)
  } catch {
    throw new UserError('the command idle reads the wake-ups of threads from /proc, which only Linux has')
  }
}

/** Starts a fresh stack, answers one request of each kind, waits until it is quiet, and measures it. */
async function watchIdle(
  { composition, app, node }: Row,
  { settleSeconds, windowSeconds }: IdleSettings,
  abort: AbortSignal,
): Promise<IdleSample['processes']> {
  const appExecPath = node && findNode(node.version).path
  const stack = await startStack({ composition, app: { ...app }, appExecPath })
  try {
    for (const path of ['/demo', '/page']) await (await fetch(stack.address('app') + path)).arrayBuffer()
    await delay(settleSeconds * 1000, undefined, { signal: abort })
    const [before, fromMs] = [readStack(stack), performance.now()]
    await delay(windowSeconds * 1000, undefined, { signal: abort })
    const seconds = (performance.now() - fromMs) / 1000
    const after = readStack(stack)
    return Object.fromEntries(
      [...before].map(([name, use]) => [name, perSecond(use, after.get(name) ?? use, seconds)]),
    )
  } finally {
    await stack.stop()
  }
}

const readStack = ({ processes }: Stack): ReadonlyMap<string, ProcessUse> =>
  new Map(processes.map(({ name, pid }) => [name, readProcess(pid)]))
