import { useChoice } from './choice.tsx'
import { useOrders } from './content.tsx'
import { FencedCard, OrderCard } from './order-card.tsx'
import type { OrderView } from './orders-view.ts'
import { comparators, matches } from './selection.ts'

interface OrderListProps {
  /** The component of a card. */
  readonly card?: typeof OrderCard
}

/** All orders, sorted by the choice of the user. Those that it excludes are hidden. */
export function OrderList({ card }: OrderListProps) {
  const orders = useOrders()
  const { sort } = useChoice().query
  return (
    <ol className="orders">
      <Cards orders={orders.toSorted(comparators[sort])} card={card} />
    </ol>
  )
}

/**
 * The list in place of one with a card that throws: it lacks that card only. Boundaries around each card are a large part of the
 * work for a page, so an ordinary list has none.
 */
export const FencedOrderList = () => <OrderList card={FencedCard} />

interface CardsProps extends OrderListProps {
  readonly orders: readonly OrderView[]
}

export function Cards({ orders, card: Card = OrderCard }: CardsProps) {
  const { query } = useChoice()
  if (orders.length === 0) return <li className="empty">There are no orders.</li>
  return orders.map(order => <Card key={order.id} order={order} isHidden={!matches(order, query)} />)
}
