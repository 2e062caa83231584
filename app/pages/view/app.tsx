import { type ReactNode, useId } from 'react'
import { ChoiceProvider, ContentContext, type PageContent, type ReadForm } from './contexts.tsx'
import type { Assets, PageQuery } from './data.ts'
import { FencedOrderList, OrderList } from './orders.tsx'
import { Part } from './part.tsx'
import { Recommendations } from './recommendations.tsx'
import { Summary } from './summary.tsx'

export interface AppProps {
  readonly query: PageQuery
  readonly assets: Assets
  readonly content: PageContent
  /** Absent on the server. */
  readonly readForm?: ReadForm
}

/** The whole page. The summary is in no Suspense boundary: without orders there is no page, and the request fails. */
export const App = ({ query, assets, content, readForm }: AppProps) => (
  <ContentContext value={content}>
    <ChoiceProvider query={query} readForm={readForm}>
      <Layout
        assets={assets}
        summary={<Summary assets={assets} />}
        orders={
          <Part name="orders" fallback={<FencedOrderList />}>
            <OrderList />
          </Part>
        }
        recommendations={
          <Part name="recommendations">
            <Recommendations />
          </Part>
        }
      />
    </ChoiceProvider>
  </ContentContext>
)

interface LayoutProps {
  readonly assets: Assets
  readonly summary: ReactNode
  readonly orders: ReactNode
  readonly recommendations: ReactNode
}

export function Layout({ assets, summary, orders, recommendations }: LayoutProps) {
  const id = useId()
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Orders - Order desk</title>
        <meta name="description" content="The orders of a shop, streamed from the server." />
        <link rel="icon" href={assets.icon} />
        <link rel="stylesheet" href={assets.style} />
        <noscript>
          <link rel="stylesheet" href={assets.noscript} />
        </noscript>
      </head>
      <body>
        <a className="skip" href={`#${id}orders`}>
          Skip to the orders
        </a>
        <header className="banner">
          <p className="brand">Order desk</p>
          <Views />
        </header>
        <main>
          <h1>Orders</h1>
          <section aria-labelledby={`${id}summary-heading`}>
            <h2 id={`${id}summary-heading`}>Summary</h2>
            {summary}
          </section>
          <div className="columns">
            <section id={`${id}orders`} aria-labelledby={`${id}orders-heading`}>
              <h2 id={`${id}orders-heading`}>Order list</h2>
              {orders}
            </section>
            <aside aria-labelledby={`${id}recommendations-heading`}>
              <h2 id={`${id}recommendations-heading`}>Recommended to restock</h2>
              {recommendations}
            </aside>
          </div>
        </main>
        <Footer />
      </body>
    </html>
  )
}

const views = [
  { name: 'All orders', query: '' },
  { name: 'Largest first', query: '?sort=total' },
  { name: 'To be shipped', query: '?status=packed' },
  { name: 'Returned', query: '?status=returned' },
]

const Views = () => (
  <nav aria-label="Views">
    <ul>
      {views.map(({ name, query }) => (
        <li key={name}>
          <a href={`/page${query}`}>{name}</a>
        </li>
      ))}
    </ul>
  </nav>
)

const Footer = () => (
  <footer className="footer">
    <p>This page is one React tree. What comes late is sent late, and all else is there at once.</p>
    <ul>
      <li>
        <a href="/healthz">Health</a>
      </li>
    </ul>
  </footer>
)
