import { lowerPriority } from '../lib/lower-priority.ts'
import { readProcessUsage } from '../lib/process-usage.ts'
import { loadTasks } from './execute.ts'
import type { ProcessData, ProcessMessage, ProcessReply } from './protocol.ts'

const { priority, ...files } = JSON.parse(process.argv[2] as string) as ProcessData
const execute = await loadTasks(files)
lowerPriority(priority)
// The app may have gone meanwhile; `disconnect` says so.
const tell = (reply: ProcessReply) => process.send?.(reply, undefined, {}, () => {})

process.on('message', (message: ProcessMessage) => {
  if (message.kind === 'usage') tell({ kind: 'usage', ...readProcessUsage() })
  else tell({ kind: 'replies', replies: message.jobs.map(job => execute(job)) })
})
// Ctrl-C reaches every process of a terminal, and so does its end; the app closes its own children.
process.on('SIGINT', () => {})
process.on('SIGHUP', () => {})
process.on('disconnect', () => process.exit())
tell({ kind: 'ready' })
