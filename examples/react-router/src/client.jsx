import { hydrateRoot } from 'react-dom/client'
import { createBrowserRouter, matchRoutes } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { Document, routes } from './routes.jsx'

// A lazy route of this page has to be there before hydration.
for (const { route } of matchRoutes(routes, location) ?? [])
  if (route.lazy) Object.assign(route, { ...(await route.lazy()), lazy: undefined })

const router = createBrowserRouter(routes, { hydrationData: window.__staticRouterHydrationData })
hydrateRoot(
  document,
  <Document>
    <RouterProvider router={router} />
  </Document>,
)
