import bcrypt from 'bcryptjs'
import ejs from 'ejs'

/** The work that leaves: it is the same function on the main thread and in a thread. */
export function score({ seed, turns }) {
  let hash = seed
  for (let turn = 0; turn < turns; turn++) hash = ((hash ^ (turn & 255)) * 16777619) >>> 0
  return hash
}

export const hashPassword = password => bcrypt.hashSync(password, '$2b$06$abcdefghijklmnopqrstuu')

const orders = Array.from({ length: 300 }, (_, id) => ({ id, name: `order <${id}>`, total: id * 1.5 }))
const template = ejs.compile(
  '<table><% for (const order of orders) { %><tr><td><%= order.name %></td><td><%= order.total %></td></tr><% } %></table>',
)
export const renderOrders = title => `<h1>${title}</h1>${template({ orders })}`
