import { useChoice } from './choice.tsx'
import { useOrders } from './content.tsx'
import { OrderCard } from './order-card.tsx'
import type { OrderView } from './orders-view.ts'
import { comparators, matches } from './selection.ts'

/** All orders, sorted by the choice of the user. Those that it excludes are hidden. */
export function OrderList() {
  const orders = useOrders()
  const { sort } = useChoice().query
  return (
    <ol className="orders">
      <Cards orders={orders.toSorted(comparators[sort])} />
    </ol>
  )
}

export function Cards({ orders }: { orders: readonly OrderView[] }) {
  const { query } = useChoice()
  if (orders.length === 0) return <li className="empty">There are no orders.</li>
  return orders.map(order => <OrderCard key={order.id} order={order} isHidden={!matches(order, query)} />)
}
