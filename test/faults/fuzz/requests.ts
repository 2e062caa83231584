import { createRoutes } from '../../../app/routes.ts'
import { createOtherRoutes } from '../../../app/server/other-routes.ts'
import type { Draw } from './draw.ts'

/** No route is asked here. */
const nothing = { logging: {}, compute: {}, upstream: {} } as never

/** The paths of all routes of the app but its files. */
export const servicePaths: readonly string[] = [...createRoutes(nothing), ...createOtherRoutes(nothing)].map(
  ({ path }) => path,
)

/** The parameters of all these routes. */
export const parameterNames = [
  ...['seed', 'size', 'cost', 'kib', 'orders', 'payload', 'count'],
  ...['search', 'status', 'sort'],
]

/** A request that Node.js accepts, whatever its path and headers are. */
export interface Request {
  readonly method: string
  readonly bytes: Buffer
  /** Whether HTTP/1.1 demands the answer 400 although Node.js accepts the request. */
  readonly isMalformed?: boolean
}

const METHODS = 'GET GET GET GET HEAD POST PUT PATCH DELETE OPTIONS PROPFIND TRACE'.split(' ')

const ODD_PATHS = [
  ...'/ //hello /hello/ /HELLO /%68ello /hello%00 /hello;a=1 /hello#a /nowhere /% /%ff'.split(' '),
  '/\\hello',
  ...'/assets/ /assets/../package.json /assets/..%2f..%2fpackage.json'.split(' '),
  ...'/..%c0%af..%c0%afetc/passwd /../../../../etc/passwd /__proto__ /constructor /:path /* *'.split(' '),
  'http://other.example/hello',
]

const ODD_NAMES = ['__proto__', 'constructor', 'toString', 'a[b]', 'seed[]', '', '%5f%5fproto%5f%5f', 'Seed']

/** No value makes a request expensive, because a hundred thousand are sent. */
const VALUES = [
  ...'0 1 -1 7 10 007 1e1 1.0 0x1 +1 2147483647 2147483648 9999999999999999 NaN null [] mixed'.split(' '),
  ...'strings numbers placed total dark %00 %0d%0aset-cookie:%20a=b'.split(' '),
  ...'%0d%0a%0d%0aHTTP/1.1%20200%20OK %e2%80%ae %f0%9f%98%80 %ff % %zz'.split(' '),
  '<script>alert(1)</script>',
  '\'"--',
  '{{7*7}}',
  '../../etc/passwd',
]

const HEADERS: readonly ((draw: Draw) => string)[] = [
  draw => `accept: ${draw.pick(['*/*', 'application/x-protobuf', 'text/html;q=0.1', ',;q=', '\t'])}`,
  draw => `accept-encoding: ${draw.pick(['br', 'gzip;q=0', '*', 'identity;q=0', 'br;q=x', ',,,'])}`,
  draw => `if-none-match: ${draw.pick(['*', '"a"', 'W/"a"', ''])}`,
  draw => `x-request-id: ${draw.text(80, 0x20)}`,
  draw => `traceparent: ${draw.pick(['00-0-0-0', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, 'x'])}`,
  draw => `range: bytes=${draw.text(8)}`,
  draw => `cookie: ${draw.text(40, 0x80, 0xff)}`,
  draw => `content-type: ${draw.pick(['application/json', 'multipart/form-data', 'x', '', 'a/b; c'])}`,
  draw => `x-${draw.pick(['forwarded-host', 'http-method-override', 'original-url'])}: ${draw.text(20)}`,
  draw => `__proto__: ${draw.text(10)}`,
  draw => `x: ${draw.text(2000)}`,
]

/** @param paths of the routes */
export function drawRequest(draw: Draw, paths: readonly string[], names: readonly string[]): Request {
  const method = draw.pick(METHODS)
  const headers = draw.times(4, () => draw.pick(HEADERS)(draw))
  const isMalformed = draw.chance(0.02)
  const line = `${method} ${drawTarget(draw, paths, names)} HTTP/1.1`
  const head = [
    line,
    'host: localhost',
    'connection: close',
    ...headers,
    ...(isMalformed ? ['Host: other.example'] : []),
  ]
  const [framing, body] = drawBody(draw)
  return { method, isMalformed, bytes: Buffer.from([...head, ...framing, '', body].join('\r\n'), 'latin1') }
}

function drawTarget(draw: Draw, paths: readonly string[], names: readonly string[]): string {
  const path = draw.chance(0.7) ? draw.pick(paths) : draw.pick([...ODD_PATHS, `/${draw.text(20)}`])
  if (draw.chance(0.3)) return path
  const pairs = draw.times(4, () => {
    const name = draw.chance(0.8) ? draw.pick(names) : draw.pick([...ODD_NAMES, draw.text(10)])
    const value = draw.chance(0.9) ? draw.pick(VALUES) : draw.text(30)
    return draw.chance(0.95) ? `${name}=${value}` : name
  })
  return `${path}?${pairs.join('&')}`
}

/** Sometimes adds a body, which no route expects. */
function drawBody(draw: Draw): [headers: string[], body: string] {
  if (draw.chance(0.9)) return [[], '']
  const content = draw.pick(['{}', '{"__proto__":{"polluted":1}}', '[', draw.text(100, 0, 0xff)])
  if (draw.chance(0.5)) return [[`content-length: ${content.length}`], content]
  const chunk = content ? `${content.length.toString(16)}\r\n${content}\r\n` : ''
  return [['transfer-encoding: chunked'], `${chunk}0\r\n\r\n`]
}
