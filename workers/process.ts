import { lowerPriority } from '../lib/os/lower-priority.ts'
import { readProcessUsage } from '../lib/os/process-usage.ts'
import { execute, loadTasks } from './execute.ts'
import type { ProcessData, ProcessMessage, ProcessReply } from './protocol.ts'

const { priority, ...files } = JSON.parse(process.argv[2] as string) as ProcessData
const begin = await loadTasks(files)
lowerPriority(priority)
// The app may have gone meanwhile; the event `disconnect` handles that.
const tell = (reply: ProcessReply) => process.send?.(reply, undefined, {}, () => {})

process.on('message', (message: ProcessMessage) => {
  if (message.kind === 'usage') tell({ kind: 'usage', ...readProcessUsage() })
  else tell({ kind: 'replies', replies: message.jobs.map(job => execute(begin, job)) })
})
// Ctrl-C and the end of a terminal reach every process of the terminal. They are ignored here, because the app closes
// its own child processes.
process.on('SIGINT', () => {})
process.on('SIGHUP', () => {})
process.on('disconnect', () => process.exit())
tell({ kind: 'ready' })
