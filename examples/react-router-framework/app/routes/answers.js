import { redirect } from 'react-router'
import { findOrders } from '../orders.js'

const answers = {
  '/report.csv': async () =>
    new Response((await findOrders()).map(({ id, city }) => `${id},${city}\n`).join(''), {
      headers: { 'content-type': 'text/csv', 'cache-control': 'max-age=60' },
    }),
  '/api/orders': async request =>
    request.method === 'GET'
      ? Response.json(await findOrders())
      : Response.json({ method: request.method, sent: await request.json() }, { status: 201 }),
  '/old': () => redirect('/', 301),
  '/sign-out': () => redirect('/', { headers: { 'set-cookie': 'user=; Max-Age=0' } }),
  '/cookies': ({ headers }) => new Response(headers.get('cookie')),
}

/** Answers without a page. */
export const loader = ({ request }) => answers[new URL(request.url).pathname](request)
export const action = loader
