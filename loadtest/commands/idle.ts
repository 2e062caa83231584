import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { toFlags } from '../../lib/cli/command-line.ts'
import { duration, integer } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import type { RunningStack } from '../../stack/stack.ts'
import { measuringCommand } from '../declaration/command.ts'
import { type Presentation, table } from '../declaration/presentation.ts'
import { rowOptions, samplingOptions } from '../options.ts'
import { readEnvironment } from '../outcome/environment.ts'
import { middle } from '../outcome/format.ts'
import type { Judged } from '../outcome/noisy.ts'
import { measureRounds, type RoundsResults, type RoundsSettings } from '../run/rounds.ts'
import { listDescendants } from '../sample/machine.ts'
import { type Row, selectRows } from '../sample/rows.ts'
import { startRow } from '../sample/subject.ts'
import { readThread, readThreads } from '../sample/threads.ts'
import { drawSeed } from '../settings-from.ts'
import { describeMedian, type Median } from '../statistics/median.ts'

/** The use of threads: how long they ran, and how often they slept and were woken. */
interface Use {
  readonly cpuMs: number
  readonly wakeups: number
}

/** The use of a stack, by which of its threads are meant: the main thread of the app, or all threads of all processes. */
interface StackUse {
  readonly mainThread: Use
  readonly allThreads: Use
}

interface IdleSettings extends RoundsSettings {
  /** Seconds after the start of a stack that are not measured, and the measured ones after them. */
  readonly settleSeconds: number
  readonly windowSeconds: number
}

/** The CPU time and the wake-ups of an idle stack in a second, in one round. */
interface IdleSample extends Judged, StackUse {
  readonly round: number
}

interface IdleRow extends Pick<Row, 'number' | 'name' | 'composition' | 'node'> {
  /** Medians of the samples. */
  readonly use: Readonly<Record<keyof StackUse, Readonly<Record<keyof Use, Median>>>>
  readonly samples: readonly IdleSample[]
}

export type IdleResults = RoundsResults<IdleSettings, { readonly rows: readonly IdleRow[] }>

const { seed, json } = samplingOptions

/** Seconds after the start of a stack, before the measured window. */
const SETTLE_SECONDS = 5

const options = {
  ...rowOptions,
  rounds: integer({ min: 1, max: 1000, default: '3', help: 'samples of every row' }),
  durationMs: duration({ minMs: 1000, default: '10s', help: 'length of the measured window' }),
  seed,
  json,
}

const column = (title: string, which: keyof StackUse, of: keyof Use) => ({
  title,
  cell: ({ use }: IdleRow) => middle(use[which][of], 1),
})

const presentation: Presentation<IdleResults> = {
  heading: () => ({
    title: 'Without any load',
    introduction: 'What the processes of a stack use while no request arrives.',
  }),
  answer: ({ rows }) =>
    rows
      .filter(({ samples }) => samples.length > 0)
      .map(({ name, use: { mainThread } }) => {
        const [cpuMs, wakeups] = [mainThread.cpuMs, mainThread.wakeups].map(each => middle(each, 1, false))
        return `Without load, the main thread of ${name} uses ${cpuMs} ms of CPU time a second, and is woken ${wakeups} times.`
      })
      .join(' '),
  method: ({ settings: { rounds, settleSeconds, windowSeconds } }) =>
    `${rounds} rounds, windows of ${windowSeconds} s, ${settleSeconds} s after the start`,
  content: ({ rows }) => [
    table('CPU time and wake-ups a second, without load', rows, [
      { title: 'step', cell: ({ number, name }) => `${number ?? ' '} ${name}` },
      column('main thread ms/s', 'mainThread', 'cpuMs'),
      column('main thread wake-ups/s', 'mainThread', 'wakeups'),
      column('whole stack ms/s', 'allThreads', 'cpuMs'),
      column('whole stack wake-ups/s', 'allThreads', 'wakeups'),
    ]),
  ],
  plots: () => [],
  measured: ({ rows }) => rows,
}

export const idle = measuringCommand<typeof options, IdleResults>({
  name: 'idle',
  description: `Measures what a stack costs without any load: CPU time and wake-ups a second, of the main thread of
the app and of all threads. A wake-up is a voluntary context switch; other programs hardly change their number.`,
  options,
  presentation,
  measure(values, abort) {
    requireProc()
    const chosen = { ...values, seed: values.seed ?? drawSeed() }
    const { rounds, durationMs, seed } = chosen
    const settings: IdleSettings = {
      command: 'idle',
      arguments: toFlags({ ...chosen, json: undefined }),
      settleSeconds: SETTLE_SECONDS,
      windowSeconds: durationMs / 1000,
      ...{ rounds, seed },
    }
    return runIdle(selectRows(values.steps, values.step, values), settings, abort)
  },
})

/** A guess of the time to start and stop a stack. */
const OVERHEAD_SECONDS = 4

/** @param watch measures one stack, @param save saves the results; tests put their own in their place */
export function runIdle(
  rows: readonly Row[],
  settings: IdleSettings,
  abort: AbortSignal,
  watch: typeof watchIdle = watchIdle,
  save?: (results: IdleResults) => void,
): Promise<IdleResults> {
  const { settleSeconds, windowSeconds } = settings
  return measureRounds<Row, IdleSample, IdleSettings, Pick<IdleResults, 'rows'>>(
    {
      ...{ rows, settings, noun: 'idle stacks', environment: readEnvironment(rows), ...(save && { save }) },
      nameOf: ({ name }) => name,
      sampleMs: (settleSeconds + windowSeconds + OVERHEAD_SECONDS) * 1000,
      async take(row, round) {
        const { restarted, ...use } = await watch(row, settings, abort)
        const reason = restarted === undefined ? null : `${restarted} was restarted`
        return { round, valid: reason === null, reason, ...use }
      },
      summarize: samples => ({ rows: [...samples].map(([row, own]) => summarizeIdle(row, own)) }),
    },
    abort,
  )
}

export function summarizeIdle(
  { number, name, composition, node }: Row,
  samples: readonly IdleSample[],
): IdleRow {
  const valid = samples.filter(sample => sample.valid)
  const use = forEachAmount((which, of) => describeMedian(valid.map(sample => sample[which][of])))
  return { number, name, composition, ...(node && { node }), use, samples }
}

/** Makes a value for each amount of a stack. */
function forEachAmount<T>(value: (which: keyof StackUse, of: keyof Use) => T) {
  const amounts = (which: keyof StackUse) => ({
    cpuMs: value(which, 'cpuMs'),
    wakeups: value(which, 'wakeups'),
  })
  return { mainThread: amounts('mainThread'), allThreads: amounts('allThreads') }
}

/** The use between two readings, for each second. */
export const perSecond = (before: StackUse, after: StackUse, seconds: number): StackUse =>
  forEachAmount((which, of) => (after[which][of] - before[which][of]) / seconds)

/** The CPU time and the wake-ups of a watched stack in a second, and whether a process of it was restarted. */
interface Watched extends StackUse {
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
    return {
      ...perSecond(before, readStack(stack), seconds),
      restarted: stack.processes.find(({ restarts }) => restarts > 0)?.name,
    }
  } finally {
    await stack.stop()
  }
}

/** @throws Error when the system has no /proc, or a process has ended */
function readStack({ processes }: Pick<RunningStack, 'processes'>): StackUse {
  const app = processes.find(({ name }) => name === 'app')?.pid ?? process.pid
  const pids = processes.flatMap(({ pid }) => [pid, ...listDescendants(pid)])
  return { mainThread: sum([readThread(app, app)]), allThreads: sum(pids.flatMap(readThreads)) }
}

const sum = (threads: readonly ReturnType<typeof readThread>[]): Use => ({
  cpuMs: threads.reduce((total, { ranNs }) => total + ranNs, 0) / 1e6,
  wakeups: threads.reduce((total, { wakeups }) => total + (wakeups ?? 0), 0),
})

/** @throws UserError when the system does not tell how much a thread uses */
function requireProc(): void {
  try {
    readStack({ processes: [] })
  } catch {
    throw new UserError('the command idle reads the wake-ups of threads from /proc, which only Linux has')
  }
}
