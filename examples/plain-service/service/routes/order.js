import { orderOf } from '../orders.js'

const item = {
  type: 'object',
  properties: { product: { type: 'string' }, quantity: { type: 'integer' }, cents: { type: 'integer' } },
}

const schema = {
  params: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } } },
  response: {
    200: {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        customer: { type: 'string' },
        city: { type: 'string' },
        items: { type: 'array', items: item },
      },
    },
  },
}

export async function order(app) {
  app.get('/orders/:id', { schema }, async ({ params, log }) => {
    const found = orderOf(params.id)
    log.info({ order: found.id, city: found.city }, 'order read')
    return found
  })
}
