/** Requests of the application in `react-router-framework`: each of its routes, with forms, data and what is refused. */

const form = (fields: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields),
})

function file(): RequestInit {
  const body = new FormData()
  body.set('file', new File(['x'.repeat(5000)], 'orders.csv'))
  return { method: 'POST', body }
}

const cookie = (value: string): RequestInit => ({ headers: { cookie: value } })

export const requests: readonly (readonly [path: string, status: number, init?: () => RequestInit])[] = [
  ['/', 200],
  ['/', 200, () => ({ method: 'HEAD' })],
  ['/search?city=Lima', 200],
  ['/orders/7', 200],
  ['/orders/7.data', 200],
  ['/orders/99', 404],
  ['/orders/7/edit', 422, () => form({ city: '' })],
  ['/orders/7/edit', 302, () => form({ city: 'Łódź' })],
  ['/sign-in', 303, () => form({ name: 'Ada', password: 'secret' })],
  ['/sign-in.data', 202, () => form({ name: 'Ada', password: 'secret' })],
  ['/sign-out', 302, () => form({})],
  ['/private', 200, () => cookie('user=Ada')],
  ['/upload', 200, file],
  ['/late', 200],
  ['/report.csv', 200],
  ['/api/orders', 200],
  ['/api/orders', 201, () => ({ method: 'PUT', body: '{"city":"Lima"}' })],
  ['/api/orders', 500, () => ({ method: 'PUT', body: '{' })],
  ['/old', 301],
  ['/cookies', 200, () => cookie('a=1')],
  ['/about', 405, () => form({})],
  ['/theme', 200, () => cookie('theme=dark')],
  ['/gone', 410],
  ['/throws', 500],
  ['/breaks', 500],
  ['/files/a/b.txt', 200],
  ['/nowhere', 404],
]

/** Headers that say how the body is sent. */
const FRAMING = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']

/** The answer to one of the requests. */
export async function answerOf(url: string, [path, , init]: (typeof requests)[number]) {
  const response = await fetch(url + path, { redirect: 'manual', ...init?.() })
  const headers = [...response.headers].filter(([name]) => !FRAMING.includes(name))
  return { path, status: response.status, headers, body: await response.text() }
}
