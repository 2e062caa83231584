import { runCommand } from '../lib/cli/command.ts'
import { closeServer, listen } from '../lib/http/listen.ts'
import { joinStack } from '../lib/processes/join-stack.ts'
import { onStackMessage } from '../lib/processes/oversight.ts'
import { ordersOptions } from './order.ts'
import { createOrdersServer } from './server.ts'

await runCommand({
  usage: 'node orders/main.ts [options]',
  description: 'The upstream microservice from which the app fetches orders.',
  options: ordersOptions,
  async run(options) {
    const changing = { ...options }
    const server = createOrdersServer(changing)
    const address = await listen(server, options.host, options.port)
    onStackMessage(message => {
      if (message.kind === 'slow') changing.latencyMs = options.latencyMs + message.byMs
    })
    joinStack({ name: 'orders', addresses: { http: address }, close: () => closeServer(server) })
  },
})
