import { memo, Suspense } from 'react'
import { formatDay, formatMoney } from './format.ts'
import type { OrderView } from './orders-view.ts'
import { Fence } from './part.tsx'

interface OrderCardProps {
  readonly order: OrderView
  readonly isHidden: boolean
}

/** One order. Composed text is one string, because React puts a comment between two strings. */
export const OrderCard = memo(function OrderCard({ order, isHidden }: OrderCardProps) {
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
export const FencedCard: typeof OrderCard = memo(function FencedCard(props: OrderCardProps) {
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
