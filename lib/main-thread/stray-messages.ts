import type { Worker } from 'node:worker_threads'
import { warnOnce } from './warn.ts'

/** With `--watch`, Node.js tells the process by these messages which files its threads import, and nobody passes them on. */
const isOfWatch = (message: unknown): boolean =>
  process.env.WATCH_REPORT_DEPENDENCIES !== undefined &&
  typeof message === 'object' &&
  message !== null &&
  ('watch:import' in message || 'watch:require' in message)

/** Warns once of messages that the code in a thread posts to `parentPort`. */
export const warnStrays = (worker: Worker) => worker.on('message', onStray)

function onStray(message: unknown): void {
  if (isOfWatch(message)) return void process.send?.(message)
  warnOnce(
    'STRAY_MESSAGE',
    'code in a thread of a pool posted a message to parentPort, where nobody listens; messages of tasks need a MessagePort of their own',
  )
}
