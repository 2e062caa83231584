import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { ordersTo } from '../orders.js'
import { Page } from '../page.js'

const schema = {
  querystring: {
    type: 'object',
    properties: { count: { type: 'integer', minimum: 1, maximum: 500, default: 200 } },
  },
}

export async function page(app) {
  app.get('/orders', { schema }, async ({ query }, reply) => {
    const orders = ordersTo(query.count)
    reply.type('text/html; charset=utf-8')
    return `<!DOCTYPE html>${renderToString(createElement(Page, { orders }))}`
  })
}
