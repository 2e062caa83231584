import { formatCount, formatMoney } from './format.ts'
import type { OrderView } from './orders-view.ts'
import type { PageQuery } from './query.ts'
import { TOOLBAR_ID, Toolbar, type ToolbarProps } from './toolbar.tsx'

/** The figures of all orders, and the toolbar with the data that the browser needs to hydrate it. */
export function Summary({ orders, query }: { orders: readonly OrderView[]; query: PageQuery }) {
  const toolbar: ToolbarProps = {
    query,
    statuses: [...new Set([query.status, ...orders.map(({ status }) => status)])].filter(Boolean).sort(),
    of: orders.length,
    shown: orders.filter(({ isShown }) => isShown).length,
  }
  const revenue = orders.reduce((sum, { total }) => sum + total, 0)
  const items = orders.reduce((sum, { quantity }) => sum + quantity, 0)
  return (
    <>
      <section aria-labelledby="summary-heading">
        <h2 id="summary-heading">Summary</h2>
        <dl className="figures">
          <Figure name="Orders">{formatCount(orders.length)}</Figure>
          <Figure name="Items">{formatCount(items)}</Figure>
          <Figure name="Revenue">{formatMoney(revenue)}</Figure>
          <Figure name="Customers">{new Set(orders.map(({ customer }) => customer)).size}</Figure>
        </dl>
      </section>
      <div id={TOOLBAR_ID}>
        <Toolbar {...toolbar} />
      </div>
      <script
        type="application/json"
        id={`${TOOLBAR_ID}-props`}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: escaped so that no text can end the element
        dangerouslySetInnerHTML={{ __html: JSON.stringify(toolbar).replaceAll('<', '\\u003c') }}
      />
    </>
  )
}

const Figure = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
