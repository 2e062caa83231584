/** Loaded by `require`, because an instrumentation sees that. */
const services = {
  express() {
    const app = require('express')()
    const orders = Array.from({ length: 40 }, (_, id) => ({ id, name: `order ${id}`, total: id * 1.5 }))
    app.get('/orders', (_, response) => response.json(orders))
    app.listen(Number(process.env.PORT))
  },
  fastify() {
    const app = require('fastify')()
    app.get('/orders/:id', async ({ params }) => ({ id: params.id, list: [1, 2, 3] }))
    app.listen({ port: Number(process.env.PORT) })
  },
}

services[process.argv[2]]()
