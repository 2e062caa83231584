import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { failuresOf, Load, refuseFailures } from './load.ts'
import { type Asked, requestOptions, requestsOf } from './options.ts'
import { createSender } from './sender.ts'

const directory = temporaryDirectory({ after })
const nothing = {
  method: undefined,
  header: undefined,
  body: undefined,
  bodyFile: undefined,
  requests: undefined,
}

function read(text: string, asked: Partial<Asked> = {}) {
  const requests = join(directory, 'requests')
  writeFileSync(requests, text)
  return requestsOf({ ...nothing, ...asked, requests }, '/').map(each => ({
    ...each,
    body: each.body?.toString(),
  }))
}

const ORDER = { method: 'POST', path: '/orders?a=1', headers: {}, body: '{"id": 1}', weight: 3 }

test('requests are lines with weight, method, path and body, or those of a HAR to its first server', () => {
  const health = { method: 'GET', path: '/health', headers: {}, body: undefined, weight: 1 }
  assert.deepEqual(read('# two\n3 POST /orders?a=1 {"id": 1}\n\n/health'), [ORDER, health])
  const headers = [
    { name: 'Authorization', value: 'Bearer t' },
    { name: 'Host', value: 'shop.example' },
    { name: ':path', value: '/orders' },
  ]
  const entries = [
    { method: 'POST', url: 'https://shop.example/orders?a=1', headers, postData: { text: '{"id": 1}' } },
    { method: 'GET', url: 'https://cdn.example/page.js' },
  ].map(request => ({ request }))
  const authorization = 'Bearer t'
  assert.deepEqual(read(JSON.stringify({ log: { entries } })), [
    { ...ORDER, headers: { authorization }, weight: 1 },
  ])
  assert.deepEqual(read('/', { header: { authorization } })[0]?.headers, { authorization })
})

/** The requests of a HAR with these entries. */
const readEntries = (...entries: readonly object[]) => read(`\ufeff${JSON.stringify({ log: { entries } })}`)
const GET = { method: 'GET', url: 'http://a.example/' }

test('a HAR has the form, the type and all header lines of a request as they were sent', () => {
  const params = [
    { name: 'user', value: 'ann lee' },
    { name: 'pass', value: 'a&b' },
  ]
  const form = 'application/x-www-form-urlencoded'
  const headers = ['session=1', 'theme=dark'].map(value => ({ name: 'cookie', value }))
  const post = (postData: object) =>
    readEntries({ request: { ...GET, method: 'POST', headers, postData } })[0]
  const cookie = 'session=1; theme=dark'
  const sent = { method: 'POST', path: '/', headers: { cookie, 'content-type': form }, weight: 1 }
  assert.deepEqual(post({ mimeType: form, text: '', params }), { ...sent, body: 'user=ann+lee&pass=a%26b' })
  const json = post({ mimeType: 'application/json', text: '{}' })
  assert.deepEqual([json?.headers['content-type'], json?.body], ['application/json', '{}'])
  const bytes = post({ mimeType: 'application/octet-stream', encoding: 'base64', text: 'QUI=' })
  assert.equal(bytes?.body, 'AB')
  const mimeType = 'multipart/form-data; boundary=a'
  assert.deepEqual(post({ mimeType, text: '--a--', params })?.body, '--a--')
  assert.throws(() => post({ mimeType, params }), /is no HAR \(a form of several parts has no text\)$/)
})

test('a HAR is read to the server of its document, without entries that are not HTTP', () => {
  const others = [
    'chrome-extension://abc/x.js',
    'data:text/plain,a',
    'ws://a.example/',
    '',
    'https://cdn.example/',
  ]
  const entries = others.map(url => ({ request: { ...GET, url } }))
  const paths = (...all: object[]) => readEntries(...all).map(({ path }) => path)
  assert.deepEqual(paths(...entries, { request: GET, _resourceType: 'document' }), ['/'])
  assert.deepEqual(paths({ request: { ...GET, url: 'http://a.example//b/c' } }), ['//b/c'])
})

test('a path may begin with two slashes, and lines end as on any system', () => {
  assert.deepEqual(
    read('3 GET //a/b\r\nPOST /x {"a":1}\r\n').map(({ path, body }) => [path, body]),
    [
      ['//a/b', undefined],
      ['/x', '{"a":1}'],
    ],
  )
})

test('a body makes a POST, and a file with requests has its own methods and bodies', () => {
  const [request] = requestsOf({ ...nothing, body: '{}' }, '/orders')
  assert.deepEqual([request?.method, request?.path, String(request?.body)], ['POST', '/orders', '{}'])
  assert.throws(() => read('/', { method: 'PUT' }), /methods and bodies from its file/)
  assert.throws(() => requestsOf({ ...nothing, body: '{}', bodyFile: 'a' }, '/'), /--body or --body-file/)
})

const wrong = {
  '3 orders': /line 1 of .* is no request/,
  '0 /': /line 1/,
  '{"log":1}': /is no HAR/,
  '# none': /no request in/,
}
for (const [text, message] of Object.entries(wrong)) {
  test(`"${text}" is refused in one line`, () => {
    assert.throws(() => read(text), { name: 'UserError', message })
  })
}

test('headers are read one a line', () => {
  const parse = requestOptions.header.parse
  assert.deepEqual(parse('Authorization: Bearer t\nx-empty:'), { authorization: 'Bearer t', 'x-empty': '' })
  assert.equal(parse('authorization Bearer'), undefined)
})

test('a request arrives with its method, header and body', async t => {
  const server = createServer((request, response) => {
    request.on('data', body =>
      response.end(`${request.method} ${request.url} ${request.headers['x-a']} ${body}`),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sender = createSender(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  t.after(() => {
    sender.close()
    server.close()
  })
  const digest = createHash('sha1').update('POST /orders?a=1 b {}').digest('hex')
  const request = { ...ORDER, headers: { 'x-a': 'b' }, body: Buffer.from('{}') }
  for (const _ of [1, 2]) assert.deepEqual(await sender.send(request), { status: 200, digest })
})

test('a request is sent again if the server has closed its idle connection, and only then', async t => {
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    if (requests === 2) request.socket.destroy()
    else response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [sender, other] = [createSender(origin), createSender(origin)]
  t.after(() => {
    sender.close()
    other.close()
    server.close()
  })
  const request = { ...ORDER, body: Buffer.from('{}') }
  const statuses = []
  for (const _ of [1, 2]) statuses.push((await sender.send(request)).status)
  assert.deepEqual(statuses, [200, 200])
  requests = 1
  assert.equal((await other.send(request)).status, 'ECONNRESET')
})

test('a server that is not there is an error, and the load can be stopped', async () => {
  const load = new Load('http://127.0.0.1:1', requestsOf(nothing, '/'), 2)
  load.resume()
  while (failuresOf(load.figures()) < 2) await delay(1)
  await load.stop()
  assert.equal(load.figures().responses, 0)
  assert.deepEqual([...load.figures().failures.keys()], ['ECONNREFUSED'])
})

test('failed requests are told by status, and more than one in a hundred are refused', () => {
  const failures = new Map([
    ['401', 1],
    ['ECONNRESET', 9],
  ])
  refuseFailures({ responses: 990, failures })
  assert.throws(() => refuseFailures({ responses: 989, failures }), {
    name: 'UserError',
    message: /^10 of 999 requests failed \(ECONNRESET: 9, 401: 1\): .*--accept-errors/,
  })
})
