import { pathToFileURL } from 'node:url'
import { inspect, types } from 'node:util'
import { monotonicMs } from '../../../lib/units.ts'
import { takeTaskLines } from '../../../workers/task-log.ts'
import { Problem } from '../../problems.ts'
import { writeLines } from '../../tasks.ts'
import type { CreateCompute, TaskResult, TracedTask } from './contract.ts'

type Functions = Readonly<Record<string, (input: unknown) => unknown>>

/** Runs tasks at once on the main thread. All other work waits meanwhile. */
export const createCompute: CreateCompute = async ({ tasksFile, logger }) => {
  const { tasks: functions }: { readonly tasks: Functions } = await import(pathToFileURL(tasksFile).href)
  return {
    async run(context, ...tasks) {
      if (context.gone) throw new Problem('CLIENT_GONE')
      try {
        return runAll(functions, tasks, context.deadline)
      } finally {
        writeLines(takeTaskLines(), context, logger)
      }
    },
    close: async () => {},
  }
}

function runAll(functions: Functions, tasks: readonly TracedTask[], deadline: number): TaskResult[] {
  const askedAtMs = monotonicMs()
  return tasks.map(({ name, input }) => {
    const startedAtMs = monotonicMs()
    if (startedAtMs >= deadline) throw new Problem('DEADLINE_PASSED')
    let output: unknown
    try {
      output = (functions[name] as Functions[string])(input)
    } catch (error) {
      throw new Problem('TASK_FAILED', undefined, types.isNativeError(error) ? error : inspect(error))
    }
    if (types.isPromise(output))
      throw new Problem('TASK_FAILED', undefined, 'an asynchronous task cannot run at once')
    return { output, waitMs: startedAtMs - askedAtMs, runMs: monotonicMs() - startedAtMs }
  })
}
