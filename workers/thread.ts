import { workerData } from 'node:worker_threads'
import { loadTasks } from './execute.ts'
import type { TaskReply, ThreadData, ThreadMessage } from './protocol.ts'

const { tasksFile, started } = workerData as ThreadData
const execute = await loadTasks(tasksFile)

/** What the pool calls in a worker thread. */
export function answer(message: ThreadMessage): TaskReply[] | undefined {
  if (message.kind === 'ping') return
  return message.jobs.map((calls, index) => {
    Atomics.store(started, message.slot, index + 1)
    return execute(calls)
  })
}
