import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { seededRandom, shuffled } from '../../../lib/random.ts'
import { formatDuration } from '../../../lib/units.ts'
import type { RunningStack } from '../../../stack/stack.ts'
import { readEnvironment } from '../../outcome/environment.ts'
import { resultsFile, saveResults } from '../../outcome/results-file.ts'
import type { Row } from '../../sample/rows.ts'
import { startRow } from '../../sample/subject.ts'
import type { IdleResults, IdleSample, IdleSettings } from './results.ts'
import { summarizeIdle } from './summarize.ts'
import { type ProcessUse, perSecond, readProcess, requireProc } from './threads.ts'

/** A guess of the time to start and stop a stack. */
const OVERHEAD_SECONDS = 4

/** Everything that a run does outside of its own memory; tests put their own in its place. */
export interface IdleInstruments {
  readonly watch: typeof watchIdle
  readonly save: (results: IdleResults) => void
}

/**
 * Measures every row once a round, in an order drawn for the round, and saves the results after every sample.
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
  requireProc('idle')
  const environment = readEnvironment(rows)
  const samples = new Map(rows.map((row): [Row, IdleSample[]] => [row, []]))
  const results = (partial: boolean): IdleResults => ({
    schemaVersion: 1,
    kind: 'idle',
    partial,
    environment,
    settings,
    rows: rows.map(row => summarizeIdle(row, samples.get(row) ?? [])),
  })
  const seconds = rounds * rows.length * (settleSeconds + windowSeconds + OVERHEAD_SECONDS)
  process.stderr.write(
    `${rounds} rounds of ${rows.length} idle stacks, about ${formatDuration(seconds * 1000)}; results go to ${resultsFile({ environment })}\n`,
  )
  try {
    for (let round = 1; round <= rounds; round++) {
      for (const row of shuffled(rows, seededRandom(seed * 1000 + round))) {
        const { processes, restarted } = await watch(row, settings, abort)
        const reason = restarted === undefined ? null : `${restarted} was restarted`
        samples.get(row)?.push({ round, valid: reason === null, reason, processes })
        save(results(true))
        const refusal = reason === null ? '' : `: refused, ${reason}`
        process.stderr.write(`[round ${round}/${rounds}] ${row.name}${refusal}\n`)
      }
    }
  } catch (error) {
    if (!abort.aborted) throw error
    return results(true)
  }
  save(results(false))
  return results(false)
}

/** The CPU time and the wake-ups of one stack in one window. */
export interface Watched extends Pick<IdleSample, 'processes'> {
  /** Name of a process that was restarted; undefined when there was none. */
  readonly restarted: string | undefined
}

/** Starts a fresh stack and watches it. Like the stacks under load, it has log files of its own. */
async function watchIdle(row: Row, settings: IdleSettings, abort: AbortSignal): Promise<Watched> {
  const directory = await mkdtemp(join(tmpdir(), 'loadtest-'))
  try {
    const stack = await startRow(row, {}, abort, directory, { note: `${row.name}, without load` })
    return await watchStack(stack, settings, abort)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Answers one request of each kind, waits until the stack is quiet, measures it, and stops it. */
async function watchStack(
  stack: RunningStack,
  { settleSeconds, windowSeconds }: IdleSettings,
  abort: AbortSignal,
): Promise<Watched> {
  try {
    for (const path of ['/demo', '/page']) await (await fetch(stack.address('app') + path)).arrayBuffer()
    await delay(settleSeconds * 1000, undefined, { signal: abort })
    const [before, fromMs] = [readStack(stack), performance.now()]
    await delay(windowSeconds * 1000, undefined, { signal: abort })
    const seconds = (performance.now() - fromMs) / 1000
    const after = readStack(stack)
    const uses = [...before].map(([name, use]) => [name, perSecond(use, after.get(name) ?? use, seconds)])
    return {
      processes: Object.fromEntries(uses),
      restarted: stack.processes.find(({ restarts }) => restarts > 0)?.name,
    }
  } finally {
    await stack.stop()
  }
}

const readStack = ({ processes }: RunningStack): ReadonlyMap<string, ProcessUse> =>
  new Map(processes.map(({ name, pid }) => [name, readProcess(pid)]))
