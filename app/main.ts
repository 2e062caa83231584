import { runCommand } from '../lib/cli/command.ts'
import { joinStack } from '../lib/processes/join-stack.ts'
import { appOptions } from './config.ts'

await runCommand({
  usage: 'node app/main.ts [options]',
  description: 'The web service.',
  options: appOptions,
  async run(config) {
    if (config.instances > 1) return (await import('./server/instances/primary.ts')).runInstances(config)
    const { startApp } = await import('./app.ts')
    const { addresses, close } = await startApp(config)
    joinStack({ name: 'app', addresses, close })
  },
})
