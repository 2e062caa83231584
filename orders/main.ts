import { runCommand } from '../lib/cli/command.ts'
import { closeServer, listen } from '../lib/http/listen.ts'
import { joinStack } from '../lib/processes/join-stack.ts'
import { onStackMessage } from '../lib/processes/oversight.ts'
import { ordersOptions } from './options.ts'
import { createOrdersServer } from './server.ts'

await runCommand({
  usage: 'node orders/main.ts [options]',
  description: 'The upstream microservice from which the app fetches orders.',
  options: ordersOptions,
  async run(options) {
    const slowdown = { ms: 0 }
    const server = createOrdersServer(options, slowdown)
    const address = await listen(server, options.host, options.port)
    onStackMessage(message => {
      if (message.kind === 'slow') slowdown.ms = message.byMs
    })
    joinStack({ name: 'orders', addresses: { http: address }, close: () => closeServer(server) })
  },
})
