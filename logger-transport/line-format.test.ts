import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { seededRandom } from '../lib/random.ts'
import { type LogFields, logLevels } from '../lib/telemetry/logger.ts'
import { createLineFormat, createPinoFormat } from './line-format.ts'

const lineText = () => ',"sequence":1,"requestId":"r"'
const format = createLineFormat({ lineText })
const formatByPino = createPinoFormat({ lineText })

const circle: Record<string, unknown> = { name: 'circle' }
circle.itself = circle
const text = 'two\nlines "quoted" \\ \u2028 \ud800 \u{1f600} %s %j \u0000'

const cases: Readonly<Record<string, LogFields>> = {
  'no fields': {},
  'plain fields': { orderId: 7, status: 'shipped', total: 1.5, paid: true, note: null },
  'text that needs escaping': { [text]: text },
  'numbers that JSON lacks': {
    a: Number.NaN,
    b: Number.POSITIVE_INFINITY,
    c: -0,
    d: 1e21,
    e: 5e-324,
  },
  'values that are left out': { a: undefined, b: () => 1, c: Symbol('c'), d: 1 },
  'only values that are left out': { a: undefined },
  'nested values': { list: [1, 'two', [null, undefined]], object: { deep: { deeper: [{}] } } },
  'values with a JSON of their own': {
    date: new Date(0),
    url: new URL('http://a/b'),
    map: new Map([[1, 2]]),
  },
  'an error': { err: new Error('failed'), code: 1 },
  'an error in another field': { error: new Error('failed') },
  'no error in err': { err: 'text' },
  'a big integer': { amount: 10n },
  'a circle': { circle },
  'a value that cannot be read': {
    broken: {
      toJSON() {
        throw new Error('broken')
      },
    },
  },
  'fields with toJSON': { toJSON: 'a field', other: 1 },
  'integer names, and names that are taken': { 2: 'b', 1: 'a', time: 1, level: 'x', message: 'y' },
}

/** Removes the time, which may differ by a millisecond. */
const withoutTime = (line: string) => line.replace(/"time":\d{13},/, '"time":0,')

describe('a log line', () => {
  for (const [name, fields] of Object.entries(cases)) {
    test(`with ${name} is that of pino, byte for byte`, () => {
      for (const level of logLevels) {
        for (const message of ['order read', text]) {
          const [ours, pinos] = [format(level, message, fields), formatByPino(level, message, fields)]
          assert.equal(withoutTime(ours), withoutTime(pinos))
        }
      }
    })
  }

  test('of any fields is that of pino, also after more messages than are kept', () => {
    const random = seededRandom(1)
    for (let line = 0; line < 400; line++) {
      const [fields, message] = [drawFields(random, 0), `message "${line}"`]
      assert.equal(
        withoutTime(format('info', message, fields)),
        withoutTime(formatByPino('info', message, fields)),
      )
    }
  })
})

const values = [text, '', 0, -1.5, 2 ** 53, true, null, undefined, Number.NaN, new Date(0), { toString: 1 }]

function drawFields(random: () => number, depth: number): Record<string, unknown> {
  const draw = () =>
    depth < 3 && random() < 0.3 ? drawFields(random, depth + 1) : values[Math.floor(random() * values.length)]
  const names = Array.from({ length: Math.floor(random() * 5) }, () => `field ${Math.floor(random() * 9)}"`)
  return Object.fromEntries(names.map(name => [name, random() < 0.2 ? [draw(), draw()] : draw()]))
}
