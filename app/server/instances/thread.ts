import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { UserError } from '../../../lib/cli/user-error.ts'
import type { Counts } from '../../../lib/processes/protocol.ts'
import { startApp } from '../../app.ts'
import type { AppConfig } from '../../config.ts'
import type { InstanceMessage } from './protocol.ts'

const primary = parentPort as MessagePort
const tell = (message: InstanceMessage) => primary.postMessage(message)

// Signals do not reach this thread. They reach the thread that has started it, which then tells it to stop.
try {
  const { addresses, close } = await startApp(workerData as AppConfig)
  primary.once('message', async () => tell({ kind: 'closed', counts: (await close()) as Counts }))
  tell({ kind: 'listening', addresses })
} catch (error) {
  if (!(error instanceof UserError)) throw error
  tell({ kind: 'refused', reason: error.message })
}
