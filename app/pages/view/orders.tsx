import { memo, Suspense } from 'react'
import { useChoice, useOrders } from './contexts.tsx'
import { comparators, formatDay, formatMoney, matches, type OrderView } from './data.ts'
import { Fence } from './part.tsx'

interface OrderListProps {
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

export function Cards({
  orders,
  card: Card = OrderCard,
}: OrderListProps & { readonly orders: readonly OrderView[] }) {
  const { query } = useChoice()
  if (orders.length === 0) return <li className="empty">There are no orders.</li>
  return orders.map(order => <Card key={order.id} order={order} isHidden={!matches(order, query)} />)
}

interface OrderCardProps {
  readonly order: OrderView
  readonly isHidden: boolean
}

/** One order. Composed text is one string, because React puts a comment between two strings. */
const OrderCard = memo(function OrderCard({ order, isHidden }: OrderCardProps) {
  return (
    <li className="order" hidden={isHidden} data-id={order.id}>
      <h3>{`Order ${order.id}`}</h3>
      <p className="status">{order.status}</p>
      <p className="product">{`${order.quantity} x ${order.product}`}</p>
      <dl>
        <Detail name="Customer">
          <dd className="customer">{order.customer}</dd>
        </Detail>
        <Detail name="City">
          <dd className="city">{order.city}</dd>
        </Detail>
        <Detail name="Placed">
          <dd>
            <time dateTime={order.placedAt}>{formatDay(order.placedAt)}</time>
          </dd>
        </Detail>
        <Detail name="Total">
          <dd className="total">{formatMoney(order.total)}</dd>
        </Detail>
      </dl>
    </li>
  )
})

/** An order that costs the list nothing else if it cannot be shown. */
const FencedCard: typeof OrderCard = memo(function FencedCard(props: OrderCardProps) {
  const fallback = <li className="order fallback">{`Order ${props.order.id} cannot be shown.`}</li>
  return (
    <Fence fallback={fallback}>
      <Suspense fallback={fallback}>
        <OrderCard {...props} />
      </Suspense>
    </Fence>
  )
})

const Detail = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    {children}
  </div>
)
