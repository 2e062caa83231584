import { createServer } from 'node:http'

/** A table of orders: its main thread makes text, JSON and garbage, as that of most services does. */
const orders = Array.from({ length: 60 }, (_, id) => ({ id, prices: [id, id * 1.25, id * 1.5, id * 2] }))
const rowOf = ({ id, prices }: (typeof orders)[number]) =>
  `<tr><td>Order ${id}</td>${prices.map(price => `<td>${(price * 1.19).toFixed(2)}</td>`).join('')}</tr>`

createServer((_, response) => {
  response.end(`<table>${orders.map(rowOf).join('')}</table><script>${JSON.stringify(orders)}</script>`)
}).listen(process.env.PORT)
