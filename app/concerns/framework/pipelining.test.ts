import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { serve } from '../../../test/calm-service.ts'
import { type Implementation, namesOf } from '../../concerns.ts'

const requests = (count: number) =>
  Array.from({ length: count }, (_, index) => `GET /echo?n=${index} HTTP/1.1\r\nHost: a\r\n\r\n`).join('')

/** A server, and a client of it that sends requests without waiting for answers. */
async function start(t: TestContext, name: Implementation<'framework'>) {
  const route = {
    path: '/echo',
    async handle({ n }: Readonly<Record<string, unknown>>) {
      // Every third answer is late, so that the order is not that of the work.
      if (Number(n) % 3 === 0) await turn()
      return { contentType: 'text/plain; charset=utf-8', body: `${'-'.repeat(1000)}n${n}\n` }
    },
  }
  const { server, url, port } = await serve(t, name, { routes: [route] })
  const client = connect(port).on('error', () => {})
  t.after(() => client.destroy())
  const [accepted] = await once(server, 'connection')
  return { url, client, accepted: accepted as Socket }
}

/** Reads the numbers of all answers. */
async function readNumbers(socket: Socket, count: number): Promise<number[]> {
  const numbers: number[] = []
  let rest = ''
  for await (const chunk of socket.setEncoding('latin1')) {
    rest += chunk
    for (const [, number] of rest.matchAll(/n(\d+)\n/g)) numbers.push(Number(number))
    rest = rest.slice(rest.lastIndexOf('\n') + 1)
    if (numbers.length >= count) break
  }
  return numbers
}

for (const name of namesOf('framework'))
  describe(`framework/${name}: a client that pipelines`, () => {
    test('gets all answers in order', async t => {
      const { client } = await start(t, name)
      client.write(requests(2000))
      const expected = Array.from({ length: 2000 }, (_, index) => index)
      assert.deepEqual(await readNumbers(client, 2000), expected)
    })

    test('is not read from while it reads no answers, and others are served', async t => {
      const { url, client, accepted } = await start(t, name)
      const attack = requests(100_000)
      client.pause().write(attack)
      await once(accepted, 'pause')
      for (let round = 0; round < 10; round++) assert.equal((await fetch(`${url}/echo?n=1`)).status, 200)
      assert.ok(accepted.bytesRead < attack.length / 2, `${accepted.bytesRead} bytes were read`)
    })
  })
