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
import type { SavedRun } from '../outcome/results.ts'
import { resultsFile, saveResults } from '../outcome/results-file.ts'
import { measureRounds } from '../run/rounds.ts'
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

/** The use of one process, and of the processes that it has started, since their start. */
interface ProcessUse {
  readonly mainThread: Use
  readonly allThreads: Use
}

interface IdleSettings {
  readonly command: 'idle'
  readonly arguments: readonly string[]
  readonly rounds: number
  /** Seconds after the start of a stack that are not measured, and the measured ones after them. */
  readonly settleSeconds: number
  readonly windowSeconds: number
  readonly seed: number
}

/** The use of one idle stack in one window, a second: each of its processes by its name. */
interface IdleSample extends Judged {
  readonly round: number
  readonly processes: Readonly<Record<string, ProcessUse>>
}

interface IdleRow extends Pick<Row, 'number' | 'name' | 'composition' | 'node'> {
  /** Medians of the samples, a second. */
  readonly processes: readonly IdleProcess[]
  readonly samples: readonly IdleSample[]
}

interface IdleProcess {
  /** The name of the process; `all` for the sum of them. */
  readonly name: string
  readonly mainThread: Readonly<Record<keyof Use, Median>>
  readonly allThreads: Readonly<Record<keyof Use, Median>>
}

export interface IdleResults extends SavedRun {
  readonly kind: 'idle'
  readonly settings: IdleSettings
  readonly rows: readonly IdleRow[]
}

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

const use = (title: string, which: keyof ProcessUse, of: keyof Use) => ({
  title,
  cell: (row: IdleProcess) => middle(row[which][of], 1),
})

const presentation: Presentation<IdleResults> = {
  heading: () => ({
    title: 'Without any load',
    introduction: 'What the processes of a stack use while no request arrives.',
  }),
  answer: ({ rows }) =>
    rows
      .filter(({ samples }) => samples.length > 0)
      .flatMap(({ name, processes }) => {
        const app = processes.find(process => process.name === 'app')
        return app
          ? `Without load, the main thread of ${name} uses ${middle(app.mainThread.cpuMs, 1, false)} ms of CPU time a second, and is woken ${middle(app.mainThread.wakeups, 1, false)} times.`
          : []
      })
      .join(' '),
  method: ({ settings: { rounds, settleSeconds, windowSeconds } }) =>
    `${rounds} rounds, windows of ${windowSeconds} s, ${settleSeconds} s after the start`,
  content: ({ rows }) => [
    table(
      'CPU time and wake-ups a second, without load',
      rows.flatMap(({ number, name, processes }) =>
        processes.map(process => ({ ...process, step: `${number ?? ' '} ${name}` })),
      ),
      [
        { title: 'step', cell: ({ step }) => step },
        { title: 'process', cell: ({ name }) => name },
        use('main thread ms/s', 'mainThread', 'cpuMs'),
        use('wake-ups/s', 'mainThread', 'wakeups'),
        use('all threads ms/s', 'allThreads', 'cpuMs'),
        use('wake-ups/s', 'allThreads', 'wakeups'),
      ],
    ),
  ],
  plots: () => [],
  measured: ({ rows }) => rows,
}

export const idle = measuringCommand<typeof options, IdleResults>({
  name: 'idle',
  description: `Measures what a stack costs without any load: CPU time and wake-ups a second, of the main thread and of all
threads of each process. A wake-up is a voluntary context switch; other programs hardly change their number.`,
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
  save: (results: IdleResults) => void = saveResults,
): Promise<IdleResults> {
  const { rounds, settleSeconds, windowSeconds, seed } = settings
  const environment = readEnvironment(rows)
  return measureRounds<Row, IdleSample, IdleResults>(
    {
      ...{ rows, rounds, seed, noun: 'idle stacks', verbose: true },
      nameOf: ({ name }) => name,
      sampleMs: (settleSeconds + windowSeconds + OVERHEAD_SECONDS) * 1000,
      describePlan: results => [`results go to ${resultsFile(results)}`],
      async take(row, round) {
        const { processes, restarted } = await watch(row, settings, abort)
        const reason = restarted === undefined ? null : `${restarted} was restarted`
        return { round, valid: reason === null, reason, processes }
      },
      results: (samples, { partial }) => ({
        schemaVersion: 1,
        kind: 'idle',
        partial,
        environment,
        settings,
        rows: [...samples].map(([row, own]) => summarizeIdle(row, own)),
      }),
      save,
    },
    abort,
  )
}

/** The name of the sum of all processes of a stack. */
const ALL = 'all'

export const summarizeIdle = (
  { number, name, composition, node }: Row,
  samples: readonly IdleSample[],
): IdleRow => ({
  ...{ number, name, composition },
  ...(node && { node }),
  processes: describeProcesses(samples.filter(({ valid }) => valid)),
  samples,
})

const describeProcesses = (samples: readonly IdleSample[]): IdleProcess[] =>
  [...Object.keys(samples[0]?.processes ?? {}), ALL].map(name => {
    const uses = samples.flatMap(({ processes }) => (name === ALL ? sum(processes) : (processes[name] ?? [])))
    return { name, ...forEachAmount((which, of) => describeMedian(uses.map(use => use[which][of]))) }
  })

const sum = (processes: IdleSample['processes']): ProcessUse =>
  forEachAmount((which, of) =>
    Object.values(processes).reduce((total, process) => total + process[which][of], 0),
  )

/** Makes a value for each amount of a process. */
function forEachAmount<T>(value: (which: keyof ProcessUse, of: keyof Use) => T) {
  const amounts = (which: keyof ProcessUse) => ({
    cpuMs: value(which, 'cpuMs'),
    wakeups: value(which, 'wakeups'),
  })
  return { mainThread: amounts('mainThread'), allThreads: amounts('allThreads') }
}

/** The use between two readings, for each second. */
export const perSecond = (before: ProcessUse, after: ProcessUse, seconds: number): ProcessUse =>
  forEachAmount((which, of) => (after[which][of] - before[which][of]) / seconds)

/** The CPU time and the wake-ups of one stack in one window. */
interface Watched extends Pick<IdleSample, 'processes'> {
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

/** Reads a process and its child processes. @throws when the system has no /proc, or the process has ended */
function readProcess(pid: number): ProcessUse {
  const all = [pid, ...listDescendants(pid)].flatMap(readThreads)
  const toUse = (threads: readonly ReturnType<typeof readThread>[]): Use => ({
    cpuMs: threads.reduce((total, { ranNs }) => total + ranNs, 0) / 1e6,
    wakeups: threads.reduce((total, { wakeups }) => total + (wakeups ?? 0), 0),
  })
  return { mainThread: toUse([readThread(pid, pid)]), allThreads: toUse(all) }
}

/** @throws UserError when the system does not tell how much a thread uses */
function requireProc(): void {
  try {
    readProcess(process.pid)
  } catch {
    throw new UserError('the command idle reads the wake-ups of threads from /proc, which only Linux has')
  }
}
