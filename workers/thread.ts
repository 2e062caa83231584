import { threadId, workerData } from 'node:worker_threads'
import { lowerPriority } from '../lib/lower-priority.ts'
import { loadTasks } from './execute.ts'
import type { TaskReply, ThreadData, ThreadMessage } from './protocol.ts'

const { started, runners, priority, ...files } = workerData as ThreadData
const execute = await loadTasks(files)
// Only now: threads that loading starts are for all of the process, and would have its priority.
lowerPriority(priority)

/** What the pool calls in a worker thread. */
export function answer(message: ThreadMessage): TaskReply[] | undefined {
  if (message.kind === 'ping') return
  Atomics.store(runners, message.slot, threadId)
  const replies = message.jobs.map((job, index) => {
    Atomics.store(started, message.slot, index + 1)
    return execute(job)
  })
  // The replies may be lost if another message ends this thread: none of these jobs is to blame then.
  Atomics.store(started, message.slot, 0)
  return replies
}
