import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { toFlags } from '../../lib/cli/command-line.ts'
import { duration, integer } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { record } from '../../lib/record.ts'
import type { RunningStack } from '../../stack/stack.ts'
import { measuringCommand } from '../declaration/command.ts'
import { type Presentation, table } from '../declaration/presentation.ts'
import { drawSeed, rowOptions, samplingOptions } from '../options.ts'
import { middle } from '../outcome/format.ts'
import type { Judged } from '../outcome/noisy.ts'
import type { SavedRun } from '../outcome/results.ts'
import { measureRounds, type RoundsResults } from '../run/rounds.ts'
import { listDescendants } from '../sample/machine.ts'
import { type Row, selectRows } from '../sample/rows.ts'
import { startRow } from '../sample/subject.ts'
import { readThread, readThreads } from '../sample/threads.ts'
import { describeMedian, type Median } from '../statistics/median.ts'

/** How long threads ran, and how often they slept and were woken. */
type Use<Value = number> = Readonly<Record<'cpuMs' | 'wakeups', Value>>

/** The use of the main thread of the app, and of all threads of all processes of its stack. */
type StackUse<Value = number> = Readonly<Record<'mainThread' | 'allThreads', Use<Value>>>

type IdleSettings = SavedRun['settings'] & {
  /** Seconds after the start of a stack that are not measured, and the measured ones after them. */
  readonly settleSeconds: number
  readonly windowSeconds: number
}

/** The use of an idle stack in a second, in one round. */
type IdleSample = Judged & StackUse & { readonly round: number }

interface IdleRow extends Pick<Row, 'number' | 'name' | 'composition'> {
  readonly use: StackUse<Median>
  readonly samples: readonly IdleSample[]
}

export type IdleResults = RoundsResults<IdleSettings, { readonly rows: readonly IdleRow[] }>

const { seed, json } = samplingOptions

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
  title: () => 'Without any load',
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
    const settings = {
      command: 'idle',
      arguments: toFlags({ ...chosen, json: undefined }),
      settleSeconds: 5,
      windowSeconds: durationMs / 1000,
      ...{ rounds, seed },
    }
    return runIdle(selectRows(values.steps, values.step, values), settings, abort)
  },
})

function runIdle(rows: readonly Row[], settings: IdleSettings, abort: AbortSignal): Promise<IdleResults> {
  return measureRounds<Row, IdleSample, IdleSettings, Pick<IdleResults, 'rows'>>(
    {
      ...{ rows, settings },
      nameOf: ({ name }) => name,
      take: (row, round) => takeSample(row, round, settings, abort),
      summarize: samples => ({ rows: [...samples].map(([row, own]) => summarizeIdle(row, own)) }),
    },
    abort,
  )
}

export function summarizeIdle({ number, name, composition }: Row, samples: readonly IdleSample[]): IdleRow {
  const valid = samples.filter(sample => sample.valid)
  const use = forEachAmount((which, of) => describeMedian(valid.map(sample => sample[which][of])))
  return { number, name, composition, use, samples }
}

const forEachAmount = <Value>(value: (which: keyof StackUse, of: keyof Use) => Value): StackUse<Value> =>
  record(['mainThread', 'allThreads'], which => record(['cpuMs', 'wakeups'], of => value(which, of)))

/** The use between two readings, for each second. */
export const perSecond = (before: StackUse, after: StackUse, seconds: number): StackUse =>
  forEachAmount((which, of) => (after[which][of] - before[which][of]) / seconds)

/**
 * Starts a fresh stack, which has log files of its own, like the stacks under load. Answers one request of each kind, waits until
 * it is quiet, and measures it.
 */
async function takeSample(
  row: Row,
  round: number,
  { settleSeconds, windowSeconds }: IdleSettings,
  abort: AbortSignal,
): Promise<IdleSample> {
  const pause = (seconds: number) => delay(seconds * 1000, undefined, { signal: abort })
  const directory = await mkdtemp(join(tmpdir(), 'loadtest-'))
  let stack: RunningStack | undefined
  try {
    stack = await startRow(row, {}, abort, directory, { note: `${row.name}, without load` })
    for (const path of ['/demo', '/page']) await (await fetch(stack.address('app') + path)).arrayBuffer()
    await pause(settleSeconds)
    const [before, fromMs] = [readStack(stack), performance.now()]
    await pause(windowSeconds)
    const seconds = (performance.now() - fromMs) / 1000
    const restarted = stack.processes.find(({ restarts }) => restarts > 0)?.name
    const reason = restarted === undefined ? null : `${restarted} was restarted`
    return { round, valid: reason === null, reason, ...perSecond(before, readStack(stack), seconds) }
  } finally {
    await stack?.stop()
    await rm(directory, { recursive: true, force: true })
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
