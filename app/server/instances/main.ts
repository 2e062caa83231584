import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { runCommand } from '../../../lib/cli/command.ts'
import { UserError } from '../../../lib/cli/user-error.ts'
import { joinStack } from '../../../lib/processes/join-stack.ts'
import type { Counts } from '../../../lib/processes/protocol.ts'
import { startApp } from '../../app.ts'
import { type AppConfig, appOptions } from '../../config.ts'
import type { InstanceMessage } from './contract.ts'
import { outlivePrimary } from './instance.ts'

// An instance in a process of its own takes the options of the app from its primary, one in a thread its values.
if (isMainThread)
  await runCommand({
    usage: 'node app/server/instances/main.ts [options]',
    description: 'One of several instances of the web service. app/main.ts starts it.',
    options: appOptions,
    async run(config) {
      const { addresses, close } = await startApp(config)
      outlivePrimary()
      joinStack({ name: 'app', addresses, close })
    },
  })
else await runInThread(workerData as AppConfig, parentPort as MessagePort)

/** Signals do not reach this thread. They reach the thread that has started it, which then tells it to stop. */
async function runInThread(config: AppConfig, primary: MessagePort): Promise<void> {
  const tell = (message: InstanceMessage) => primary.postMessage(message)
  try {
    const { addresses, close } = await startApp(config)
    primary.once('message', async () => tell({ kind: 'closed', counts: (await close()) as Counts }))
    tell({ kind: 'listening', addresses })
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    tell({ kind: 'refused', reason: error.message })
  }
}
