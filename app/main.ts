import { runCommand } from '../lib/cli/command.ts'
import { UserError } from '../lib/cli/user-error.ts'
import { joinStack } from '../lib/processes/join-stack.ts'
import { warnWithoutUpstream } from './concerns/upstream/warning.ts'
import { type AppConfig, appOptions } from './config.ts'
import { launchers } from './launchers.ts'

await runCommand({
  usage: 'node app/main.ts [options]',
  description: 'The web service, in the state that --step names.',
  options: appOptions,
  run(config) {
    // libuv reads UV_THREADPOOL_SIZE when its pool is used for the first time, which is later.
    if (config.uvThreads !== undefined) process.env.UV_THREADPOOL_SIZE = String(config.uvThreads)
    return config.instances === 1 ? runApp(config) : runInstances(config)
  },
})

async function runApp(config: AppConfig): Promise<void> {
  const { startApp } = await import('./app.ts')
  const { addresses, close } = await startApp(config)
  joinStack({ name: 'app', addresses, close })
  warnWithoutUpstream(config.ordersUrl)
}

/** The primary serves no requests, so it does not load the code of the service. */
async function runInstances(config: AppConfig): Promise<void> {
  const launcher = await launchers.instances?.()
  if (!launcher) throw new UserError('the branch of a step runs one instance; --instances is on main')
  await launcher.runInstances(config)
}
