import { workerData } from 'piscina'
import { loadTasks } from '../../../workers/execute.ts'
import type { TaskFiles, TaskJob, TaskReply } from '../../../workers/protocol.ts'
import { sendable } from '../../../workers/sendable.ts'

const begin = await loadTasks(workerData as TaskFiles)

/** Runs a job in a thread of Piscina. */
export async function runJob(job: TaskJob): Promise<TaskReply> {
  const run = begin(job)
  await run.runTasks()
  const reply = run.reply as TaskReply
  return reply.kind === 'failed' ? sendable(reply, structuredClone<TaskReply>) : reply
}
