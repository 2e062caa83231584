import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { closeServer } from '../../../lib/http/close-server.ts'
import { listen } from '../../../lib/http/listen.ts'
import { Board } from '../board.ts'
import { makeTour } from '../recording.fixture.ts'
import { inviteAudience } from './invite.ts'
import type { Greeting, Now } from './protocol.ts'
import { limitBySecond } from './server.ts'

/** The page of the audience beside an app that answers `/hello` with this status. */
async function invite(t: TestContext, status = 200) {
  const asked: string[] = []
  const app = createServer(({ url, headers }, response) => {
    asked.push(`${url} ${headers.cookie ?? ''}`)
    response.writeHead(status).end('Hello')
  })
  const board = new Board()
  for (const { message } of makeTour()) board.tell(message)
  const invitation = { host: '127.0.0.1', port: 0, app: await listen(app, '127.0.0.1', 0) }
  const { url, close } = await inviteAudience(invitation, board)
  t.after(async () => {
    await close()
    await closeServer(app)
  })
  return { url, board, asked }
}

test('the audience sees the step that serves, and how long the app takes', async t => {
  const { url, board } = await invite(t)
  const step = board.last('state')?.state.step
  const now = (await (await fetch(`${url}now`)).json()) as Now
  assert.equal(now.step, step)
  assert.ok(now.name !== '' && Number(now.costMicros) > 0)
  const greeting = (await (await fetch(`${url}hello`)).json()) as Greeting
  assert.equal(greeting.step, step)
  assert.ok(greeting.appMs > 0)
})

test('the stage shows the address as a square code', async t => {
  const { url, board } = await invite(t)
  const { url: told, code = [] } = board.last('audience') ?? {}
  assert.equal(told, url)
  assert.ok(code.length >= 21 && code.every(row => row.length === code.length))
})

test('nothing of a request reaches the app, and no other path reaches anything', async t => {
  const { url, asked } = await invite(t)
  await fetch(`${url}hello?size=20`, { headers: { cookie: 'a=b' } })
  assert.deepEqual(asked, ['/hello '])
  for (const path of ['events', 'stage', 'usage', 'faults', 'demo', '..%2fusage', 'hello/'])
    assert.equal((await fetch(`${url}${path}`)).status, 404, path)
  for (const path of ['stage', 'hello', 'now', ''])
    assert.equal(
      (await fetch(`${url}${path}`, { method: 'POST', body: '{"kind":"tour"}' })).status,
      405,
      path,
    )
  assert.equal(asked.length, 1)
})

test('an app that does not answer well is told as such', async t => {
  const { url } = await invite(t, 503)
  const answer = await fetch(`${url}hello`)
  assert.equal(answer.status, 503)
  assert.match(await answer.text(), /the app has not answered; ask again/)
})

test('those who ask too often are told to wait', async t => {
  const { url } = await invite(t)
  const answers = await Promise.all(Array.from({ length: 200 }, () => fetch(`${url}hello`)))
  const refused = answers.filter(({ status }) => status === 429)
  assert.ok(refused.length > 0)
  assert.equal(refused[0]?.headers.get('retry-after'), '1')
  assert.equal(answers.filter(({ status }) => status === 200).length, answers.length - refused.length)
})

test('a limit counts anew each second', () => {
  const allows = limitBySecond(2)
  assert.deepEqual([0, 1, 2, 1000, 1001].map(allows), [true, true, false, true, true])
})
