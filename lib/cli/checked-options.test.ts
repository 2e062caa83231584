import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  checkOptions,
  durationRule,
  functionRule,
  integerRule,
  required,
  textRule,
  urlRule,
} from './checked-options.ts'

const rules = {
  place: required(textRule),
  count: integerRule({ min: 1, max: 64 }),
  limitMs: durationRule({ minMs: 100 }),
  waitMs: durationRule({ orInfinity: true }),
  report: functionRule,
  module: urlRule,
}

const check = (options: object) =>
  checkOptions('create', { place: 'here', ...options } as never, rules as never)

describe('options that code gives to a package', () => {
  test('are returned as a copy if each is what its rule expects, or undefined if it is not required', () => {
    const waitMs = Number.POSITIVE_INFINITY
    const options = { count: 64, limitMs: undefined, waitMs, report() {}, module: new URL('file:///a') }
    assert.deepEqual(check(options), { place: 'here', ...options })
  })

  const INTEGER = 'an integer from 1 to 64'
  const LIMIT = 'a number of milliseconds from 100 to 2147483647'
  const wrong: readonly (readonly [name: string, value: unknown, expected: string, received: string])[] = [
    ...[0, -1, 65, 1.5, Number.NaN, Number.POSITIVE_INFINITY, null, true].map(
      value => ['count', value, INTEGER, String(value)] as const,
    ),
    ['count', '4', INTEGER, '"4"'],
    ['count', 4n, INTEGER, '4n'],
    ['count', [4], INTEGER, 'an object'],
    ['count', { valueOf: () => 4 }, INTEGER, 'an object'],
    ...[99, 2 ** 31, Number.POSITIVE_INFINITY, Number.NaN, -1].map(
      value => ['limitMs', value, LIMIT, String(value)] as const,
    ),
    ['limitMs', '100', LIMIT, '"100"'],
    ['waitMs', 2 ** 31, 'a number of milliseconds from 0 to 2147483647, or Infinity', '2147483648'],
    ['place', '', 'some text', '""'],
    ['place', undefined, 'some text', 'undefined'],
    ['place', new URL('file:///a'), 'some text', 'an object'],
    ['report', 'no', 'a function', '"no"'],
    ['module', 'file:///a', 'a URL', '"file:///a"'],
  ]
  for (const [name, value, expected, received] of wrong)
    test(`are refused if ${name} is ${received}`, () => {
      assert.throws(() => check({ [name]: value }), {
        name: 'RangeError',
        message: `create: ${name} expects ${expected}, received ${received}`,
      })
    })

  test('are refused if one is unknown, or if they are no object', () => {
    assert.throws(() => check({ counts: 1 }), {
      message: 'create has no option counts; it has place, count, limitMs, waitMs, report, module',
    })
    for (const options of [null, 'text', 7])
      assert.throws(
        () => checkOptions('create', options as never, rules as never),
        /create expects an object/,
      )
  })
})
