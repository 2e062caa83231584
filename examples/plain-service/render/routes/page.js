import { createPageRenderer, fastifyHandler } from 'render'
import { orderOf } from '../orders.js'

const schema = {
  querystring: {
    type: 'object',
    properties: { count: { type: 'integer', minimum: 1, maximum: 500, default: 200 } },
  },
}

export async function page(app) {
  const renderer = await createPageRenderer({ parts: new URL('../parts.js', import.meta.url) })
  app.addHook('onClose', () => renderer.close())
  const handler = fastifyHandler(renderer, ({ query }) => {
    const orders = Array.from({ length: query.count }, (_, index) => orderOf(index + 1))
    return [
      '<!doctype html><html lang="en"><title>Orders</title><main>',
      renderer.part('Summary', { orders }),
      renderer.part('Orders', { orders }, { fallback: '<p>The orders are not available.</p>' }),
      '</main></html>',
    ]
  })
  app.get('/orders', { schema }, handler)
}
