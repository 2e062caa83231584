import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { listen } from '../../lib/http/listen.ts'
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

test('requests are lines with weight, method, path and body, on any system, and have the headers that are given', () => {
  const GET = { method: 'GET', headers: {}, body: undefined, weight: 1 }
  assert.deepEqual(read('# three\r\n3 POST /orders?a=1 {"id": 1}\r\n\n/health\nGET //a/b'), [
    ORDER,
    { ...GET, path: '/health' },
    { ...GET, path: '//a/b' },
  ])
  const authorization = 'Bearer t'
  assert.deepEqual(read('/', { header: { authorization } })[0]?.headers, { authorization })
})

test('a body makes a POST', () => {
  const [request] = requestsOf({ ...nothing, body: '{}' }, '/orders')
  assert.deepEqual([request?.method, request?.path, String(request?.body)], ['POST', '/orders', '{}'])
})

const wrong: readonly (readonly [text: string, message: RegExp, asked?: Partial<Asked>])[] = [
  ['3 orders', /line 1 of .* is no request/],
  ['0 /', /line 1/],
  ['# none', /no request in/],
  ['/', /methods and bodies from its file/, { method: 'PUT' }],
  ['/', /--body or --body-file/, { body: '{}', bodyFile: 'a' }],
]

test('requests that cannot be sent are refused in one line', () => {
  for (const [text, message, asked] of wrong)
    assert.throws(() => read(text, asked), { name: 'UserError', message }, text)
})

test('headers are read one a line', () => {
  const parse = requestOptions.header.parse
  assert.deepEqual(parse('Authorization: Bearer t\nx-empty:'), { authorization: 'Bearer t', 'x-empty': '' })
  assert.equal(parse('authorization Bearer'), undefined)
})

/** Starts a server until the end of the test. @returns a function that makes a sender to it */
async function serve(t: TestContext, answer: RequestListener) {
  const server = createServer(answer)
  const url = await listen(server, '127.0.0.1', 0)
  const senders: ReturnType<typeof createSender>[] = []
  t.after(() => {
    for (const sender of senders) sender.close()
    server.close()
  })
  return () => {
    const sender = createSender(url)
    senders.push(sender)
    return sender
  }
}

test('a request arrives with its method, header and body', async t => {
  const createOne = await serve(t, (request, response) => {
    request.on('data', body =>
      response.end(`${request.method} ${request.url} ${request.headers['x-a']} ${body}`),
    )
  })
  const sender = createOne()
  const digest = createHash('sha1').update('POST /orders?a=1 b {}').digest('hex')
  const request = { ...ORDER, headers: { 'x-a': 'b' }, body: Buffer.from('{}') }
  for (const _ of [1, 2]) assert.deepEqual(await sender.send(request), { status: 200, digest })
})

test('a request is sent again if the server has closed its idle connection, and only then', async t => {
  let requests = 0
  const createOne = await serve(t, (request, response) => {
    requests++
    if (requests === 2) request.socket.destroy()
    else response.end()
  })
  const [sender, other] = [createOne(), createOne()]
  const request = { ...ORDER, body: Buffer.from('{}') }
  for (const _ of [1, 2]) assert.equal((await sender.send(request)).status, 200)
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
