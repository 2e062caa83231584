import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import {
  anyRule,
  checkOptions,
  durationRule,
  integerRule,
  type OptionRule,
  poolRules,
  required,
  urlRule,
} from '../../lib/cli/checked-options.ts'
import { poolBounds } from '../../lib/cli/options.ts'
import type { TaskThreadsOptions } from './task-threads.ts'
import type { PoolOptions, RunOptions } from './task-types.ts'

const flagRule: OptionRule = { expected: 'true or false', accepts: value => typeof value === 'boolean' }
const rules = {
  ...poolRules,
  tasks: required(urlRule),
  minThreads: integerRule({ ...poolBounds.threads, min: 0 }),
  maxThreads: integerRule(poolBounds.threads),
  idleTimeout: durationRule({ orInfinity: true }),
  maxQueue: {
    expected: 'an integer from 0, or Infinity',
    accepts: (value: unknown) =>
      (Number.isSafeInteger(value) && Number(value) >= 0) || value === Number.POSITIVE_INFINITY,
  },
  maxWaitMs: durationRule({ orInfinity: true }),
  taskTimeoutMs: durationRule({ ...poolBounds.taskTimeoutMs, orInfinity: true }),
  concurrentTasksPerWorker: integerRule({ min: 1, max: 1000 }),
  idempotent: flagRule,
  recordTiming: flagRule,
  // `new Worker` checks these.
  resourceLimits: anyRule,
  env: anyRule,
  argv: anyRule,
  execArgv: anyRule,
  workerData: anyRule,
}

/** The options of a pool with all defaults. */
export type CheckedOptions = ReturnType<typeof checkPoolOptions>

/** @throws RangeError for a wrong option */
export function checkPoolOptions(given: PoolOptions) {
  const options = checkOptions('createTaskPool', given, rules)
  const { threads, minThreads, maxThreads, workerPriority = 10 } = options
  const { concurrentTasksPerWorker = 1, idempotent = false } = options
  if (threads !== undefined && (minThreads !== undefined || maxThreads !== undefined))
    throw new RangeError('createTaskPool: threads is minThreads and maxThreads at once, so it excludes these')
  const most = threads ?? maxThreads ?? Math.max(minThreads ?? 1, availableParallelism() - 1)
  const least = threads ?? minThreads ?? most
  if (least > most)
    throw new RangeError(`createTaskPool: minThreads (${least}) is more than maxThreads (${most})`)
  const { env, argv, execArgv, workerData, resourceLimits } = options
  const worker = Object.entries({ env, argv, execArgv, workerData, resourceLimits })
  return {
    threads: {
      tasksFile: fileURLToPath(options.tasks),
      threads: most,
      // One at least loads the module, so that an error in it is told at once.
      firstThreads: Math.max(1, least),
      concurrentTasks: concurrentTasksPerWorker,
      idempotent,
      taskTimeoutMs: options.taskTimeoutMs ?? 30_000,
      workerMemoryMib: options.workerMemoryMib ?? 512,
      workerPriority,
      worker: Object.fromEntries(worker.filter(([, value]) => value !== undefined)),
    } satisfies TaskThreadsOptions,
    minThreads: least,
    idleTimeout: options.idleTimeout ?? 1000,
    maxQueue: options.maxQueue ?? Number.POSITIVE_INFINITY,
    maxWaitMs: options.maxWaitMs ?? Number.POSITIVE_INFINITY,
    recordTiming: options.recordTiming ?? false,
  }
}

const runOptions = ['deadline', 'signal', 'transferList']

/** Checks the options of a task, for each task, so it does no more than that. @throws RangeError */
export function checkRunOptions(options: RunOptions): void {
  for (const name in options)
    if (!runOptions.includes(name))
      throw new RangeError(`run has no option ${name}; it has ${runOptions.join(', ')}`)
  const { deadline, signal, transferList } = options
  if (deadline !== undefined && (typeof deadline !== 'number' || Number.isNaN(deadline)))
    throw new RangeError(
      `run: deadline expects milliseconds by performance.now(), received ${String(deadline)}`,
    )
  if (signal !== undefined && typeof signal?.addEventListener !== 'function')
    throw new RangeError('run: signal expects an AbortSignal')
  if (transferList !== undefined && !Array.isArray(transferList))
    throw new RangeError('run: transferList expects a list of transferable objects')
}
