import { createElement as h } from 'react'
import { money, totalOf } from './orders.js'

// The page is written without JSX, so that nothing has to be built.

export const Page = ({ orders }) =>
  h(
    'html',
    { lang: 'en' },
    h('head', null, h('title', null, 'Orders')),
    h('body', null, h('main', null, h(Summary, { orders }), h(Orders, { orders }))),
  )

const Summary = ({ orders }) =>
  h(
    'p',
    { className: 'summary' },
    `${orders.length} orders, ${money(orders.reduce((sum, order) => sum + totalOf(order), 0))}`,
  )

const Orders = ({ orders }) =>
  h(
    'table',
    null,
    h(
      'tbody',
      null,
      orders.map(order => h(Row, { key: order.id, order })),
    ),
  )

const Row = ({ order }) =>
  h(
    'tr',
    null,
    h('td', null, order.id),
    h('td', null, order.customer),
    h('td', null, order.city),
    h(
      'td',
      null,
      h(
        'ul',
        null,
        order.items.map(item => h('li', { key: item.product }, `${item.quantity} × ${item.product}`)),
      ),
    ),
    h('td', null, money(totalOf(order))),
  )
