import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorTypeOf } from './call-times.ts'

test('an error has its code as its type, or its name; anything else that is thrown has one, too', () => {
  class OwnError extends Error {
    override name = 'OwnError'
  }
  const coded = (code: unknown) => Object.assign(new OwnError(), { code })
  const throwing = {
    get code() {
      throw new Error('no')
    },
  }
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  const rows: readonly (readonly [thrown: unknown, type: string])[] = [
    [new TypeError('message'), 'TypeError'],
    [coded('E_OWN'), 'E_OWN'],
    [coded(5), '5'],
    ...[undefined, null, '', Symbol('code'), {}, 1n, () => {}].map(
      code => [coded(code), 'OwnError'] as const,
    ),
    [{ name: Symbol('name') }, '_OTHER'],
    ...[undefined, null, 'text', 7, 7n, Symbol('s'), {}, throwing, revoked.proxy].map(
      thrown => [thrown, '_OTHER'] as const,
    ),
  ]
  assert.deepEqual(
    rows.map(([thrown]) => errorTypeOf(thrown)),
    rows.map(([, type]) => type),
  )
})
