import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import { explainElement } from './explain-element.ts'
import { Fallback } from './page/fallback.tsx'
import { OrderCard } from './page/order-card.tsx'
import type { OrderView } from './page/orders-view.ts'
import type { PageQuery, Theme } from './page/query.ts'
import { type Recommendation, Recommendations } from './page/recommendations.tsx'
import { type Assets, Shell } from './page/shell.tsx'
import { Summary } from './page/summary.tsx'
import type { PartName } from './protocol.ts'

/** The bundle of all JSX, which makes the page as strings and bytes. */

/** The props of each part. */
export interface PartProps {
  readonly summary: { readonly orders: readonly OrderView[]; readonly query: PageQuery }
  /** The orders of this part; `of` is the number of orders on the page. */
  readonly orders: { readonly orders: readonly OrderView[]; readonly of: number }
  readonly recommendations: { readonly recommendations: readonly Recommendation[] }
}

const elements: { readonly [Name in PartName]: (props: PartProps[Name]) => React.ReactNode } = {
  summary: props => <Summary {...props} />,
  orders: ({ orders, of }) =>
    of === 0 ? (
      <li className="empty">There are no orders.</li>
    ) : (
      orders.map(order => <OrderCard key={order.id} order={order} />)
    ),
  recommendations: props => <Recommendations {...props} />,
}

export const renderPart = <Name extends PartName>(name: Name, props: PartProps[Name]): string =>
  renderToString(elements[name](props))

/** The same HTML by React's streaming renderer. */
export function streamPart<Name extends PartName>(name: Name, props: PartProps[Name]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(elements[name](props), {
      onShellReady: () => void buffer(pipe(new PassThrough())).then(resolve, reject),
      onShellError: reject,
      onError: () => {},
    })
  })
}

/** The component stack of a part that throws. */
export const findComponentStack = <Name extends PartName>(
  name: Name,
  props: PartProps[Name],
): Promise<string | undefined> => explainElement(elements[name](props))

export const renderShell = (theme: Theme, assets: Assets): string =>
  `<!DOCTYPE html>${renderToString(<Shell theme={theme} assets={assets} />)}`

export const renderFallback = (part: PartName): string => renderToString(<Fallback part={part} />)
