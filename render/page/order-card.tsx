import { formatDay, formatMoney } from './format.ts'
import type { OrderView } from './orders-view.ts'

/**
 * One order. The browser finds its values by these classes: see `readKeys` in client.tsx. Composed text is one string,
 * because React puts a comment between two strings.
 */
export const OrderCard = ({ order }: { order: OrderView }) => (
  <li className="order" hidden={!order.isShown} data-id={order.id} data-total={order.total}>
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

const Detail = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    {children}
  </div>
)
