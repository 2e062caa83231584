import { lowerPriority } from '../lib/os/process.ts'
import { readProcessUsage } from '../lib/os/usage.ts'
import type { TaskReply } from './job.ts'
import { execute } from './job-run.ts'
import { sendable } from './packing.ts'
import type { ProcessData, ProcessMessage, ProcessReply } from './protocol.ts'
import { loadTaskFile } from './run-tasks.ts'

const { priority, tasksFile } = JSON.parse(process.argv[2] as string) as ProcessData
let hasWarned = false
const send = process.send?.bind(process)
process.send = dropStray
const tasks = await loadTaskFile(tasksFile)
lowerPriority(priority)
/** As the channel of this process copies, see `TaskProcesses`. */
const copy = (reply: TaskReply): TaskReply => JSON.parse(JSON.stringify(reply))
// The app may have gone meanwhile; the event `disconnect` handles that.
const tell = (reply: ProcessReply) => send?.(reply, undefined, {}, () => {})

process.on('message', (message: ProcessMessage) => {
  if (message.kind === 'usage') tell({ kind: 'usage', ...readProcessUsage() })
  else answer(message.jobs.map(job => execute(tasks, job)))
})

function answer(replies: readonly TaskReply[]): void {
  try {
    tell({ kind: 'replies', replies })
  } catch {
    tell({ kind: 'replies', replies: replies.map(reply => sendable(reply, copy)) })
  }
}

// Ctrl-C and the end of a terminal reach every process of the terminal. They are ignored here, because the app closes
// its own child processes.
process.on('SIGINT', () => {})
process.on('SIGHUP', () => {})
process.on('disconnect', () => process.exit())
tell({ kind: 'ready' })

/** Stands for `process.send` in tasks, so that no message of theirs is taken for one of this process. */
function dropStray(..._message: unknown[]): boolean {
  if (!hasWarned)
    process.emitWarning('a task called process.send, which belongs to its pool', { code: 'STRAY_MESSAGE' })
  hasWarned = true
  return true
}
