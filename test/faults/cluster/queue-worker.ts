import { join } from 'node:path'
import { JobRun } from '../../../workers/job-run.ts'
import { connectNats } from '../../../workers/remote/connect.ts'
import { loadTaskFile } from '../../../workers/run-tasks.ts'

/**
 * A worker for comparison, as the documentation of NATS shows it: a member of a queue group gets messages by chance,
 * whether or not it has room for them, and they wait in its memory.
 */
const connection = await connectNats(process.env.DMT_NATS, 'a member of a queue group')
const tasks = await loadTaskFile(join(import.meta.dirname, 'waiting-tasks.ts'))
connection.subscribe('waiting', {
  queue: 'workers',
  callback: (_error, message) => {
    new JobRun({ calls: [{ name: 'wait', input: message.json(), envelope }] }, tasks).runTasks()
    message.respond('')
  },
})
const envelope = { requestId: '', traceparent: undefined, deadline: Number.POSITIVE_INFINITY }
setInterval(() => connection.publish('present', String(process.pid)), 100)
process.on('disconnect', () => process.exit())
