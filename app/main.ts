import cluster from 'node:cluster'
import { runCommand } from '../lib/cli/command.ts'
import { joinStack } from '../lib/processes/join-stack.ts'
import { warnWithoutUpstream } from './concerns/upstream/warning.ts'
import { type AppConfig, appOptions } from './config.ts'
import { outlivePrimary } from './server/instances/instance.ts'

await runCommand({
  usage: 'node app/main.ts [options]',
  description: 'The web service, in the state that --step names.',
  options: appOptions,
  run: config => (config.instances === 1 || cluster.isWorker ? runApp(config) : runInstances(config)),
})

async function runApp(config: AppConfig): Promise<void> {
  const { startApp } = await import('./app.ts')
  const { addresses, close } = await startApp(config)
  outlivePrimary()
  joinStack({ name: 'app', addresses, close })
  if (cluster.isPrimary) warnWithoutUpstream(config.ordersUrl)
}

/** The primary serves no requests, so it does not load the code of the service. */
async function runInstances(config: AppConfig): Promise<void> {
  const { startInstances } = await import('./server/instances/primary.ts')
  const { addresses, close, failed } = await startInstances(config)
  const stop = joinStack({ name: 'app', addresses, close })
  warnWithoutUpstream(config.ordersUrl)
  process.stderr.write(`error: ${await failed}; the app is stopped\n`)
  process.exitCode = 1
  await stop()
}
