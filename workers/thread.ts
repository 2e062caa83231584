import { threadId, workerData } from 'node:worker_threads'
import { lowerPriority } from '../lib/lower-priority.ts'
import { loadTasks } from './execute.ts'
import type { TaskReply, ThreadData, ThreadMessage } from './protocol.ts'

const { started, runners, priority, ...files } = workerData as ThreadData
const execute = await loadTasks(files)
// The priority is lowered after loading: threads that loading starts serve the whole process, and would get the lower
// priority too.
lowerPriority(priority)

/** The function that the pool calls in a worker thread. */
export function answer(message: ThreadMessage): TaskReply[] | undefined {
  if (message.kind === 'ping') return
  Atomics.store(runners, message.slot, threadId)
  const replies = message.jobs.map((job, index) => {
    Atomics.store(started, message.slot, index + 1)
    return execute(job)
  })
  // If another message ends this thread, these replies may be lost. The mark 0 says that none of these jobs caused it.
  Atomics.store(started, message.slot, 0)
  return replies
}
