import { runCommand } from '../lib/cli/command.ts'
import { joinStack } from '../lib/processes/join-stack.ts'
import { appOptions } from './config.ts'
import { isLaunched } from './server/launch.ts'

await runCommand({
  usage: 'node app/main.ts [options]',
  description: 'The web service.',
  options: appOptions,
  async run(config) {
    if (await isLaunched(config)) return
    const { startApp } = await import('./app.ts')
    const { addresses, close } = await startApp(config)
    joinStack({ name: 'app', addresses, close })
  },
})
