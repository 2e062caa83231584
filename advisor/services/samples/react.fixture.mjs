import { createServer } from 'node:http'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'

const orders = Array.from({ length: 200 }, (_, id) => ({ id, name: `order ${id}`, total: id * 1.5 }))
const Row = ({ order }) =>
  createElement('tr', null, createElement('td', null, order.name), createElement('td', null, order.total))
const Page = () =>
  createElement(
    'table',
    null,
    createElement(
      'tbody',
      null,
      orders.map(order => createElement(Row, { key: order.id, order })),
    ),
  )

createServer((_, response) => response.end(renderToString(createElement(Page)))).listen(process.env.PORT)
