import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router'
import { Document, routes } from './routes.jsx'

const handler = createStaticHandler(routes)

export const options = { bootstrapModules: ['/assets/client.js'] }

/** Runs the loaders of the routes. A redirect is an answer without a page; the status of a page is that of its routes. */
export async function load(request, page) {
  const context = await handler.query(request.toRequest())
  if (context instanceof Response) return context
  page.status = context.statusCode
  return { router: createStaticRouter(handler.dataRoutes, context), context, nonce: request.nonce }
}

// biome-ignore lint/style/noDefaultExport: the renderer loads the component by this name
export default function App({ router, context, nonce }) {
  return (
    <Document>
      <StaticRouterProvider router={router} context={context} nonce={nonce} />
    </Document>
  )
}
