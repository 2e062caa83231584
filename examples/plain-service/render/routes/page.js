import { createRenderer } from '@main-thread/render'

const schema = {
  querystring: {
    type: 'object',
    properties: { count: { type: 'integer', minimum: 1, maximum: 500, default: 200 } },
  },
}

export async function page(app) {
  const renderer = await createRenderer({ app: new URL('../page-in-thread.js', import.meta.url) })
  app.addHook('onClose', () => renderer.close())
  // No part of the page waits for data, so it is not worth a stream.
  const mode = 'string'
  app.get('/orders', { schema }, (request, reply) =>
    renderer.reply(request, reply, { props: { count: request.query.count }, mode }),
  )
}
