import { runCommand } from '../lib/cli/command.ts'
import { joinStack } from '../lib/processes/join-stack.ts'
import { appOptions } from './config.ts'
import { isPrimary, outlivePrimary } from './server/instances/instance.ts'

await runCommand({
  usage: 'node app/main.ts [options]',
  description: 'The web service.',
  options: appOptions,
  async run(config) {
    if (isPrimary(config)) return (await import('./server/instances/primary.ts')).runInstances(config)
    const { startApp } = await import('./app.ts')
    const { addresses, close } = await startApp(config)
    outlivePrimary()
    joinStack({ name: 'app', addresses, close })
  },
})
