import { pathToFileURL } from 'node:url'
import { monotonicMs } from '../lib/units.ts'
import type { TaskMessage, TaskReply } from './protocol.ts'

export type Execute = (message: Pick<TaskMessage, 'name' | 'input' | 'envelope'>) => TaskReply

/** Loads a file of tasks, such as `workers/tasks.ts`, and answers how to run one of them. Never throws for a task. */
export async function loadTasks(file: string): Promise<Execute> {
  const { tasks } = (await import(pathToFileURL(file).href)) as {
    tasks: Record<string, (input: never) => unknown>
  }
  return ({ name, input, envelope }) => {
    if (Date.now() >= envelope.deadline) return { kind: 'expired' }
    const startedAtMs = monotonicMs()
    try {
      const task = tasks[name]
      if (!task) throw new TypeError(`no task is named ${name}`)
      const output = task(input as never)
      return { kind: 'done', output, startedAtMs, runMs: monotonicMs() - startedAtMs }
    } catch (error) {
      const { message, stack } = error instanceof Error ? error : new Error(String(error))
      return { kind: 'failed', message, stack }
    }
  }
}
