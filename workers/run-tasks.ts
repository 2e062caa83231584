import { pathToFileURL } from 'node:url'
import { types } from 'node:util'
import { isLate } from '../lib/threads/envelope.ts'
import { CodedError, describeThrown, isThenable, stackOf } from '../lib/threads/thrown.ts'
import { monotonicMs } from '../lib/units.ts'
import type { TaskCall, TaskOutcome, TaskRun } from './job.ts'

/** The functions of a tasks file. Each gets one input, which a message can contain, and so can its output. */
export type Tasks = Readonly<Record<string, (input: never) => unknown>>

/** Loads a tasks file, such as `workers/tasks.ts`, which exports its functions, or an object of them as `tasks`. */
export async function loadTaskFile(file: string): Promise<Tasks> {
  const module: { readonly tasks?: Tasks } = await import(pathToFileURL(file).href)
  return module.tasks ?? (module as Tasks)
}

/** The names of the tasks of a file. */
export const namesOf = (tasks: Tasks): string[] =>
  Object.keys(tasks).filter(name => typeof tasks[name] === 'function')

/**
 * Runs tasks one after the other. @returns undefined when a deadline has passed
 * @throws the error of the first task that fails
 */
export function runCalls(tasks: Tasks, calls: readonly TaskCall[]): readonly TaskRun[] | undefined {
  const runs: TaskRun[] = []
  for (const call of calls) {
    if (isLate(call.envelope)) return undefined
    runs.push(runTask(tasks, call))
  }
  return runs
}

/** Whether a task is asynchronous. */
export const areAsync = (runs: readonly TaskRun[]): boolean => runs.some(({ output }) => isThenable(output))

/** What the job becomes whose task or answer has thrown this. */
export function failureOf(error: unknown): TaskOutcome {
  if (!types.isNativeError(error) || !(error instanceof CodedError))
    return { kind: 'failed', ...describeThrown(error) }
  const { code, cause } = error
  return { kind: 'refused', code, cause: cause === undefined ? undefined : stackOf(cause) }
}

function runTask(tasks: Tasks, { name, input }: TaskCall): TaskRun {
  const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined
  if (typeof task !== 'function') throw new TypeError(`no task is named ${name}`)
  const startedAtMs = monotonicMs()
  const output = task(input as never)
  return { output, startedAtMs, runMs: monotonicMs() - startedAtMs }
}
