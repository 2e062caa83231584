import { useChoice } from './choice.tsx'
import { Embedded, useOrders } from './content.tsx'
import { formatCount, formatMoney } from './format.ts'
import type { Assets } from './layout.tsx'
import { Toolbar } from './toolbar.tsx'

export const PAGE_ID = 'page-data'

/** The figures of all orders, the toolbar, and the data from which the browser renders the page again. */
export function Summary({ assets }: { assets: Assets }) {
  const orders = useOrders()
  const { query } = useChoice()
  const revenue = orders.reduce((sum, { total }) => sum + total, 0)
  const items = orders.reduce((sum, { quantity }) => sum + quantity, 0)
  return (
    <>
      <dl className="figures">
        <Figure name="Orders">{formatCount(orders.length)}</Figure>
        <Figure name="Items">{formatCount(items)}</Figure>
        <Figure name="Revenue">{formatMoney(revenue)}</Figure>
        <Figure name="Customers">{new Set(orders.map(({ customer }) => customer)).size}</Figure>
      </dl>
      <Toolbar orders={orders} />
      <Embedded id={PAGE_ID} data={{ query, assets, orders }} />
    </>
  )
}

const Figure = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
