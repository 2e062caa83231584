import type { Theme } from './query.ts'

export interface Assets {
  readonly script: string
  readonly style: string
  readonly icon: string
}

/** The place of a dynamic part. The rendered HTML is cut here: see `cutAtSlots`. */
const Slot = ({ name }: { name: string }) => <template data-slot={name} />

const views = [
  { name: 'All orders', query: '' },
  { name: 'Largest first', query: '&sort=total' },
  { name: 'To be shipped', query: '&status=packed' },
  { name: 'Returned', query: '&status=returned' },
]

/** The static part of the page, with slots for the parts that depend on data. */
export const Shell = ({ theme, assets }: { theme: Theme; assets: Assets }) => (
  <html lang="en" data-theme={theme}>
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>Orders - Order desk</title>
      <meta name="description" content="The orders of a shop, rendered part by part." />
      <link rel="icon" href={assets.icon} />
      <link rel="stylesheet" href={assets.style} />
      <script type="module" async src={assets.script} />
    </head>
    <body>
      <a className="skip" href="#orders">
        Skip to the orders
      </a>
      <header className="banner">
        <p className="brand">Order desk</p>
        <nav aria-label="Views">
          <ul>
            {views.map(({ name, query }) => (
              <li key={name}>
                <a href={`/page?theme=${theme}${query}`}>{name}</a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main>
        <h1>Orders</h1>
        <Slot name="summary" />
        <div className="columns">
          <section aria-labelledby="list-heading">
            <h2 id="list-heading">Order list</h2>
            <ol id="orders" className="orders">
              <Slot name="orders" />
            </ol>
          </section>
          <aside aria-labelledby="recommendations-heading">
            <h2 id="recommendations-heading">Recommended to restock</h2>
            <Slot name="recommendations" />
          </aside>
        </div>
      </main>
      <footer className="footer">
        <p>Each part of this page is rendered separately and sent in page order.</p>
        <ul>
          <li>
            <a href="/healthz">Health</a>
          </li>
          <li>
            <a href="/readyz">Readiness</a>
          </li>
        </ul>
      </footer>
    </body>
  </html>
)
