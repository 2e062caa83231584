import { closeServer } from '../lib/close-server.ts'
import { runCommand } from '../lib/command.ts'
import { listen } from '../lib/listen.ts'
import { joinStack } from '../stack/member.ts'
import { agentOptions } from './options.ts'
import { createReceiver } from './receiver.ts'

await runCommand({
  usage: 'node apm-agent/main.ts [options]',
  description: 'Receives the telemetry of the app.',
  options: agentOptions,
  async run({ host, port }) {
    const { server, counts } = createReceiver()
    const address = await listen(server, host, port)
    const close = async () => {
      await closeServer(server)
      return counts()
    }
    joinStack({ name: 'apm-agent', addresses: { http: address }, close })
  },
})
