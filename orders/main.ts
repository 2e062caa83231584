import { runCommand } from '../lib/cli/command.ts'
import { closeServer, listen } from '../lib/http/listen.ts'
import { joinStack } from '../lib/processes/join-stack.ts'
import { ordersOptions } from './options.ts'
import { createOrdersServer } from './server.ts'

await runCommand({
  usage: 'node orders/main.ts [options]',
  description: 'The upstream microservice from which the app fetches orders.',
  options: ordersOptions,
  async run(options) {
    let slowerByMs = 0
    const server = createOrdersServer(options, () => slowerByMs)
    const address = await listen(server, options.host, options.port)
    const close = async () => {
      await closeServer(server)
      return {}
    }
    joinStack({
      name: 'orders',
      addresses: { http: address },
      close,
      onMessage(message) {
        if (message.kind === 'slow') slowerByMs = message.byMs
      },
    })
  },
})
