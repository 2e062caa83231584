import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, test } from 'node:test'
import { seededRandom } from '../lib/random.ts'
import { checkHead, isBodiless } from './headers.ts'

const STATUSES = [200, 204, 304, 404, 599, 99, 100, 199, 600, 1000, 200.5, -1, Number.NaN, '200', null, {}]
const GOOD_NAMES = 'x-a X-B vary set-cookie Connection content-length'.split(' ')
const NAMES = [...GOOD_NAMES, 'a b', '', 'ü', 'a:b', 'a\n', ':status']
const TEXTS = ['', 'a', 'é', 'a\tb', '日本', 'a\nb', 'a\r\nset-cookie: b', '\0']
const VALUES = [...TEXTS, 5, undefined, null, {}, ['a', 'b'], [], [null], [['a']]]

/** Makes a status and headers, of which most are wrong. */
function drawHead(random: () => number) {
  const draw = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value
  const size = Math.floor(random() * 4)
  return {
    status: random() < 0.7 ? 200 : draw(STATUSES),
    headers: Object.fromEntries(Array.from({ length: size }, () => [draw(NAMES), draw(VALUES)])),
  }
}

describe('the head of a page', () => {
  test('is one that node:http and the web accept, or is refused by an error that names what is wrong', () => {
    const random = seededRandom(1)
    let accepted = 0
    for (let count = 0; count < 10_000; count++) {
      const { status, headers } = drawHead(random)
      let checked: ReturnType<typeof checkHead>
      try {
        checked = checkHead(status, headers)
      } catch (error) {
        assert.ok(error instanceof TypeError)
        assert.match(error.message, /^the status .* not |^the header .* not |\[".*"\]$/s)
        continue
      }
      accepted++
      assert.ok(typeof status === 'number')
      const list = Object.entries(checked).flatMap(([name, value]) =>
        [value].flat().map(each => [name, each]),
      )
      new ServerResponse(new IncomingMessage(new Socket())).writeHead(
        status,
        checked as Record<string, string>,
      )
      const body = isBodiless(status) ? null : ''
      assert.equal(new Response(body, { status, headers: list as [string, string][] }).status, status)
    }
    assert.ok(accepted > 1000 && accepted < 9000)
  })

  test('has names in lower case, numbers as text, and nothing that belongs to the connection', () => {
    const given = {
      'X-A': 5,
      Connection: 'close',
      'transfer-encoding': 'chunked',
      'content-length': '7',
      'x-b': undefined,
    }
    assert.deepEqual(checkHead(200, given), { 'x-a': '5' })
  })
})
