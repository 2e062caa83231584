const products = ['lamp', 'chair', 'table', 'shelf', 'clock']
const cities = ['Berlin', 'Lima', 'Osaka', 'Cairo', 'Perth']

/** The order with this id. It stands for a row of a database. */
export const orderOf = id => ({
  id,
  customer: `customer ${(id * 7919) % 1000}`,
  city: cities[id % cities.length],
  items: Array.from({ length: 1 + (id % 5) }, (_, line) => ({
    product: products[(id + line) % products.length],
    quantity: 1 + ((id * (line + 3)) % 9),
    cents: 100 * (5 + ((id * (line + 11)) % 95)),
  })),
})

export const ordersTo = count => Array.from({ length: count }, (_, index) => orderOf(index + 1))

export const totalOf = ({ items }) => items.reduce((cents, item) => cents + item.quantity * item.cents, 0)

export const money = cents => `${(cents / 100).toFixed(2)} €`
