import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { orderOf } from '../orders.js'
import { Orders, Summary } from '../parts.js'

const schema = {
  querystring: {
    type: 'object',
    properties: { count: { type: 'integer', minimum: 1, maximum: 500, default: 200 } },
  },
}

export async function page(app) {
  app.get('/orders', { schema }, async ({ query }, reply) => {
    const orders = Array.from({ length: query.count }, (_, index) => orderOf(index + 1))
    reply.type('text/html; charset=utf-8')
    return [
      '<!doctype html><html lang="en"><title>Orders</title><main>',
      renderToString(createElement(Summary, { orders })),
      renderToString(createElement(Orders, { orders })),
      '</main></html>',
    ].join('')
  })
}
