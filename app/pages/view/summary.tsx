import { type FormEvent, useEffect, useRef } from 'react'
import { Embedded, useChoice, useOrders } from './contexts.tsx'
import { type Assets, formatCount, formatMoney, matches, type OrderView, sorts } from './data.ts'

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

const sortNames = { placed: 'Newest first', total: 'Largest first', customer: 'By customer' }

/**
 * A form that requests the page again. With JavaScript it applies choices without a request and produces the same URL.
 */
function Toolbar({ orders }: { orders: readonly OrderView[] }) {
  const { query, follow } = useChoice()
  const form = useRef<HTMLFormElement>(null)
  // Only once: choices that the user made before this script ran caused no event.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once
  useEffect(() => {
    follow(form.current as HTMLFormElement)
    performance.mark('hydrated')
  }, [])
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    follow(event.currentTarget)
  }
  const statuses = [...new Set([query.status, ...orders.map(({ status }) => status)])].filter(Boolean).sort()
  const shown = orders.filter(order => matches(order, query)).length
  return (
    <>
      <form action="/page" className="toolbar" ref={form} onInput={apply} onSubmit={apply}>
        <input type="hidden" name="seed" value={query.seed} />
        <input type="hidden" name="orders" value={query.orders} />
        <label>
          Search
          <input type="search" name="search" maxLength={100} defaultValue={query.search} />
        </label>
        <Choice
          label="Status"
          chosen={query.status}
          options={[['', 'All'], ...statuses.map(status => [status, status] as const)]}
        />
        <Choice label="Sort" chosen={query.sort} options={sorts.map(sort => [sort, sortNames[sort]])} />
        <button type="submit">Apply</button>
        <output>{countOrders(shown)}</output>
      </form>
      {shown === 0 && orders.length > 0 && <p className="empty">No orders match this choice.</p>}
    </>
  )
}

const countOrders = (count: number) =>
  count === 0 ? 'No orders' : count === 1 ? '1 order' : `${count} orders`

interface ChoiceProps {
  readonly label: string
  readonly chosen: string
  readonly options: readonly (readonly [value: string, shown: string])[]
}

const Choice = ({ label, chosen, options }: ChoiceProps) => (
  <label>
    {label}
    <select name={label.toLowerCase()} defaultValue={chosen}>
      {options.map(([value, shown]) => (
        <option key={value} value={value}>
          {shown}
        </option>
      ))}
    </select>
  </label>
)
