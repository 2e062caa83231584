import assert from 'node:assert/strict'
import { parse } from 'node:querystring'
import { describe, test } from 'node:test'
import { choice, integer } from '../cli/options.ts'
import { InvalidQueryError, queryParser } from './query.ts'

const parseQuery = queryParser({
  size: integer({ min: 1, max: 20, default: '13', help: '' }),
  payload: choice({ choices: ['strings', 'numbers'], default: 'strings', help: '' }),
})

describe('a query', () => {
  test('has values of its own, or defaults, whatever the query before it was', () => {
    assert.deepEqual(parseQuery(parse('payload=numbers&size=20')), { size: 20, payload: 'numbers' })
    assert.deepEqual(parseQuery({}), { size: 13, payload: 'strings' })
  })

  const bad: readonly [query: string, message: RegExp][] = [
    ['size=abc', /^size must be an integer from 1 to 20, received "abc"$/],
    ['size=', /^size must be/],
    ['size=21', /^size must be/],
    ['size=1.0', /^size must be/],
    ['size=1&size=2', /^size must be .* received \["1","2"\]$/],
    ['payload=NUMBERS', /^payload must be one of strings, numbers/],
    ['seize=1', /^unknown parameter "seize"; known are size, payload$/],
    ['__proto__=1', /^unknown parameter "__proto__"/],
    ['constructor=1', /^unknown parameter "constructor"/],
    [`size=${'9'.repeat(1000)}`, /^size must be .{0,200}$/],
  ]
  for (const [query, message] of bad) {
    test(`"${query.slice(0, 30)}" is refused`, () => {
      assert.throws(
        () => parseQuery(parse(query)),
        (error: unknown) => error instanceof InvalidQueryError && message.test(error.message),
      )
    })
  }
})
