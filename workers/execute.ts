import { pathToFileURL } from 'node:url'
import { monotonicMs } from '../lib/units.ts'
import type { TaskCall, TaskReply, TaskRun } from './protocol.ts'
import { takeTaskLines } from './task-log.ts'

/** Runs tasks one after the other, until one fails or its deadline has passed. Never throws for a task. */
export type Execute = (calls: readonly TaskCall[]) => TaskReply

/** Loads a file of tasks, such as `workers/tasks.ts`. */
export async function loadTasks(file: string): Promise<Execute> {
  const { tasks } = (await import(pathToFileURL(file).href)) as {
    tasks: Record<string, (input: never) => unknown>
  }

  function runTask({ name, input }: TaskCall): TaskRun {
    const task = tasks[name]
    if (!task) throw new TypeError(`no task is named ${name}`)
    const startedAtMs = monotonicMs()
    const output = task(input as never)
    return { output, startedAtMs, runMs: monotonicMs() - startedAtMs }
  }

  function runTasks(calls: readonly TaskCall[]): TaskReply {
    const runs: TaskRun[] = []
    for (const call of calls) {
      if (Date.now() >= call.envelope.deadline) return { kind: 'expired' }
      try {
        runs.push(runTask(call))
      } catch (error) {
        const { message, stack } = error instanceof Error ? error : new Error(String(error))
        return { kind: 'failed', message, stack }
      }
    }
    return { kind: 'done', runs }
  }

  return calls => ({ ...runTasks(calls), lines: takeTaskLines() })
}
