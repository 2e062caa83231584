import { closeServer } from '../lib/close-server.ts'
import { runCommand } from '../lib/command.ts'
import { listen } from '../lib/listen.ts'
import { joinStack } from '../stack/member.ts'
import { ordersOptions } from './options.ts'
import { createOrdersServer } from './server.ts'

await runCommand({
  usage: 'node orders/main.ts [options]',
  description: 'The upstream microservice that the app asks for orders.',
  options: ordersOptions,
  async run(options) {
    const server = createOrdersServer(options)
    const address = await listen(server, options.host, options.port)
    const close = async () => {
      await closeServer(server)
      return {}
    }
    joinStack({ name: 'orders', addresses: { http: address }, close })
  },
})
