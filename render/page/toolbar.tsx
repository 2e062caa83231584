import { type FormEvent, useState } from 'react'
import { type PageQuery, sorts, themes } from './query.ts'

export const TOOLBAR_ID = 'toolbar'

export interface ToolbarProps {
  readonly query: PageQuery
  /** The statuses that occur. */
  readonly statuses: readonly string[]
  /** Number of orders on the page, shown or not. */
  readonly of: number
  /** Number of orders that the query shows. */
  readonly shown: number
  /** Applies the choice of the user in the browser, and returns the number of orders that are shown. */
  readonly onChoice?: (form: HTMLFormElement) => number
}

const sortNames = { placed: 'Newest first', total: 'Largest first', customer: 'By customer' }
const themeNames = { auto: 'As the system', light: 'Light', dark: 'Dark' }

/**
 * A form that requests the page again. With JavaScript it applies choices without a request and produces the same URL.
 */
export function Toolbar({ query, statuses, of, shown, onChoice }: ToolbarProps) {
  const [count, setCount] = useState(shown)
  const choose = (event: FormEvent<HTMLFormElement>) => {
    if (!onChoice) return
    event.preventDefault()
    setCount(onChoice(event.currentTarget))
  }
  return (
    <>
      <form action="/page" className="toolbar" onInput={choose} onSubmit={choose}>
        <input type="hidden" name="seed" value={query.seed} />
        <input type="hidden" name="orders" value={query.orders} />
        <label>
          Search
          <input type="search" name="search" maxLength={100} defaultValue={query.search} />
        </label>
        <label>
          Status
          <select name="status" defaultValue={query.status}>
            <option value="">All</option>
            {statuses.map(status => (
              <option key={status} value={status}>
                {status}
              </option>
            ))}
          </select>
        </label>
        <Choice label="Sort" name="sort" values={sorts} names={sortNames} chosen={query.sort} />
        <Choice label="Theme" name="theme" values={themes} names={themeNames} chosen={query.theme} />
        <button type="submit">Apply</button>
        <output>{countOrders(count)}</output>
      </form>
      {count === 0 && of > 0 && <p className="empty">No orders match this choice.</p>}
    </>
  )
}

const countOrders = (count: number) =>
  count === 0 ? 'No orders' : count === 1 ? '1 order' : `${count} orders`

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly name: string
  readonly values: readonly Value[]
  readonly names: Readonly<Record<Value, string>>
  readonly chosen: Value
}

function Choice<Value extends string>({ label, name, values, names, chosen }: ChoiceProps<Value>) {
  return (
    <label>
      {label}
      <select name={name} defaultValue={chosen}>
        {values.map(value => (
          <option key={value} value={value}>
            {names[value]}
          </option>
        ))}
      </select>
    </label>
  )
}
