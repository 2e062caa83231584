import { runCommand } from '../../../lib/cli/command.ts'
import { joinStack } from '../../../lib/processes/join-stack.ts'
import { startApp } from '../../app.ts'
import { appOptions } from '../../config.ts'
import { outlivePrimary } from './instance.ts'

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
