import { runCommand } from '../lib/command.ts'
import { joinStack } from '../stack/member.ts'
import { startApp } from './app.ts'
import { appOptions } from './config.ts'

await runCommand({
  usage: 'node app/main.ts [options]',
  description: 'The web service, in the state that --step names.',
  options: appOptions,
  async run(config) {
    const { addresses, close } = await startApp(config)
    joinStack({ name: 'app', addresses, close })
  },
})
