import { useEffect, useId, useState } from 'react'
import {
  data,
  isRouteErrorResponse,
  Link,
  Outlet,
  redirect,
  useLoaderData,
  useRouteError,
} from 'react-router'
import { findOrders } from './orders.js'

const pages = [
  { index: true, loader: () => findOrders(), element: <Orders /> },
  { path: 'orders/:id', lazy: () => import('./order.jsx') },
  { path: 'old', loader: () => redirect('/') },
  {
    path: '*',
    loader() {
      throw data('There is no such page.', { status: 404 })
    },
  },
]

export const routes = [
  { path: '/', element: <Layout />, children: [{ errorElement: <Failure />, children: pages }] },
]

function Layout() {
  const [count, setCount] = useState(0)
  const id = useId()
  // Tests wait for the mark.
  useEffect(() => {
    document.body.dataset.hydrated = 'yes'
  }, [])
  return (
    <>
      <nav>
        <Link to="/">All orders</Link> <Link to="/orders/7">Order 7</Link>
      </nav>
      <label htmlFor={id}>Clicks</label>
      <button id={id} type="button" onClick={() => setCount(count + 1)}>
        {count}
      </button>
      <Outlet />
    </>
  )
}

function Orders() {
  return (
    <ul>
      {useLoaderData().map(({ id, city }) => (
        <li key={id}>
          <Link to={`/orders/${id}`}>
            {id}, {city}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Failure() {
  const error = useRouteError()
  return <h1>{isRouteErrorResponse(error) ? `${error.status}: ${error.data}` : 'An error'}</h1>
}

/** The document around the router, on the server and in the browser. */
export const Document = ({ children }) => (
  <html lang="en">
    <head>
      <meta charSet="utf-8" />
      <title>Orders</title>
      <link rel="icon" href="data:," />
    </head>
    <body>{children}</body>
  </html>
)
