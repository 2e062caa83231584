import { createElement } from 'react'

const orders = Array.from({ length: 200 }, (_, id) => ({ id, name: `order ${id}`, total: id * 1.5 }))
const Row = ({ order }) =>
  createElement('tr', null, createElement('td', null, order.name), createElement('td', null, order.total))

// biome-ignore lint/style/noDefaultExport: the renderer loads the component by this name
export default function Page() {
  const rows = orders.map(order => createElement(Row, { key: order.id, order }))
  return createElement('table', null, createElement('tbody', null, rows))
}
