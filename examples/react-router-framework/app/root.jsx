import { useEffect, useState } from 'react'
import { isRouteErrorResponse, Link, Links, Meta, Outlet, Scripts } from 'react-router'

export const meta = () => [{ title: 'Orders' }]

export function Layout({ children }) {
  const [count, setCount] = useState(0)
  // Tests wait for the mark.
  useEffect(() => {
    document.body.dataset.hydrated = 'yes'
  }, [])
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <link rel="icon" href="data:," />
        <Meta />
        <Links />
      </head>
      <body>
        <Link to="/">All orders</Link>
        <button type="button" onClick={() => setCount(count + 1)}>
          {count}
        </button>
        {children}
        <Scripts />
      </body>
    </html>
  )
}

export function ErrorBoundary({ error }) {
  return <h1>{isRouteErrorResponse(error) ? `${error.status}: ${error.data}` : 'An error'}</h1>
}

// biome-ignore lint/style/noDefaultExport: React Router loads the component by this name
export default Outlet
