import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { lastStep } from '../app/steps.ts'
import { patience } from '../app/test-options.fixture.ts'
import { expectedDemo } from '../loadtest/generator/expected.ts'
import { logPlaces, type Stack, startStack } from './stack-parts.ts'

interface Attack {
  readonly name: string
  /** By default the app. */
  readonly server?: 'app' | 'apm-agent'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly status: number
  /** The answer must not contain this. */
  readonly never: RegExp
}

const SCRIPT = '<script>alert(1)</script>'
const SPLIT = /set-cookie: ?split/i

const attacks: readonly Attack[] = [
  ...[
    '__proto__[polluted]=1',
    '__proto__.polluted=1',
    'constructor[prototype][polluted]=1',
    '__proto__=1',
  ].map(query => ({
    name: `pollute a prototype by ${query}`,
    path: `/demo?${query}`,
    status: 400,
    never: /"polluted":/,
  })),
  ...[
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/..\\..\\package.json',
    '/../../../../../../etc/passwd',
    '/assets//etc/passwd',
    '/assets/%00/package.json',
  ].flatMap(path =>
    (['app', 'apm-agent'] as const).map(server => ({
      name: `leave the assets of ${server} by ${path}`,
      server,
      path,
      status: 404,
      never: /"dependencies"|root:/,
    })),
  ),
  ...[
    '%0d%0aset-cookie:%20split=1',
    '%0d%0a%0d%0aHTTP/1.1%20200%20OK%0d%0a',
    '%e5%98%8a%e5%98%8dset-cookie:split',
  ].map(value => ({
    name: `split an answer by ${value}`,
    path: `/hello?seed=${value}`,
    status: 400,
    never: SPLIT,
  })),
  { name: 'write into a page', path: `/page?search=${SCRIPT}`, status: 200, never: /<script>alert/ },
  {
    name: 'write into a page from an attribute',
    path: `/page?search="onfocus=alert(1)+autofocus="`,
    status: 200,
    never: /value=""onfocus/,
  },
  {
    name: 'write into a log line',
    path: '/log?count=1',
    headers: { 'x-request-id': '"},"forged":"yes' },
    status: 200,
    never: /forged/,
  },
]

describe('nobody can', () => {
  const directory = mkdtempSync(join(tmpdir(), 'attacks-'))
  const places = logPlaces(directory)
  let stack: Stack

  before(async () => {
    stack = await startStack({
      composition: lastStep.composition,
      app: { ...places, ...patience, threads: 1 },
    })
  })
  after(async () => {
    await stack.stop()
    rmSync(directory, { recursive: true })
  })

  for (const { name, server = 'app', path, headers, status, never } of attacks) {
    test(name, async () => {
      const answer = await ask(stack.address(server), path, headers)
      assert.equal(answer.statusCode, status)
      assert.doesNotMatch(answer.rawHeaders.join('\n'), SPLIT)
      assert.doesNotMatch(await text(answer), never)
    })
  }

  for (const [what, head] of [
    ['two Host headers', 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nhost: evil.example'],
    ['no version', 'GET /healthz\r\nhost: localhost'],
  ] as const) {
    test(`get a normal answer to a request with ${what}`, async () => {
      // Only the app sends requests to the upstream, so the upstream is left out.
      const servers = stack.processes
        .filter(({ name }) => name !== 'orders')
        .flatMap(({ addresses }) => Object.values(addresses).filter(url => url.startsWith('http:')))
      assert.equal(servers.length, 4)
      for (const url of servers) {
        const { hostname, port } = new URL(url)
        const socket = connect(Number(port), hostname)
        socket.write(`${head}\r\n\r\n`)
        assert.match(await text(socket), /^HTTP\/1.1 400 /, url)
      }
    })
  }

  test('change the answers to others, or the log, by any of these attacks', async () => {
    const answer = await ask(stack.address('app'), '/demo?seed=7')
    assert.equal(await text(answer), expectedDemo(7))
    await stack.stop()
    const lines = readFileSync(places.logFile, 'utf8').trimEnd().split('\n')
    // /log writes one line, and /demo ten.
    assert.equal(lines.length, 11)
    for (const line of lines) assert.equal(JSON.parse(line).forged, undefined)
  })
})

/** Requests the path unchanged. `fetch` would normalize it. */
async function ask(url: string, path: string, headers: Attack['headers'] = {}): Promise<IncomingMessage> {
  const { hostname, port } = new URL(url)
  const [answer] = await once(request({ hostname, port, path, headers }).end(), 'response')
  return answer
}
