import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { describeThrown, errorOf, stackOf, toError } from './thrown.ts'

const refuse = () => {
  throw new Error('not shown')
}
const { proxy: revoked, revoke } = Proxy.revocable({}, {})
revoke()

/** What a thread throws, as the main thread gets it. */
const passOn = (thrown: unknown) => toError(structuredClone(describeThrown(thrown)))

describe('what was thrown', () => {
  test('arrives with its class, stack, code, fields and causes', () => {
    class OrderError extends RangeError {
      override name = 'OrderError'
      get code() {
        return 'E_ORDER'
      }
    }
    const cause = new TypeError('inner', { cause: Object.assign(new Error('innermost'), { code: 1n }) })
    const error = Object.assign(new OrderError('on purpose', { cause }), { statusCode: 404, retry() {} })
    const arrived = passOn(error)
    assert.deepEqual({ ...arrived }, { statusCode: 404, code: 'E_ORDER' })
    assert.deepEqual([arrived.name, arrived.message, arrived.stack], [error.name, error.message, error.stack])
    assert.ok(arrived.cause instanceof TypeError)
    assert.equal((arrived.cause.cause as { code?: unknown }).code, 1n)
  })

  test('is an error also if it comes from another realm', () => {
    const error = runInNewContext('new RangeError("on purpose")')
    assert.ok(passOn(error) instanceof RangeError)
    assert.equal(stackOf(error), error.stack)
    assert.equal(errorOf(error), error)
  })

  test('has a text and its fields if it is any other value', () => {
    const values = ['text', 5, 5n, undefined, null, Symbol('s'), Object.create(null), () => {}]
    assert.deepEqual(
      values.map(value => passOn(value).message),
      [
        'text',
        '5',
        '5',
        'undefined',
        'null',
        'Symbol(s)',
        '[Object: null prototype] {}',
        '[Function (anonymous)]',
      ],
    )
    const { code, message } = passOn({ code: 'E', cause: 7 }) as NodeJS.ErrnoException
    assert.deepEqual([code, message], ['E', "{ code: 'E', cause: 7 }"])
    assert.equal(passOn({ name: 'Like', message: 'an error' }).stack, 'Like: an error')
  })

  test('ends a circle of causes', () => {
    const error = new Error('first')
    error.cause = new Error('second', { cause: error })
    assert.equal((passOn(error).cause as Error).message, 'second')
  })

  const hostile = {
    'a revoked proxy': revoked,
    'a proxy whose prototype throws': new Proxy({}, { getPrototypeOf: refuse, get: refuse }),
    'an error whose stack throws': Object.defineProperty(new Error('x'), 'stack', { get: refuse }),
    'an error whose message throws': Object.defineProperty(new Error(), 'message', { get: refuse }),
    'an object whose tag throws': Object.defineProperty({}, Symbol.toStringTag, { get: refuse }),
    'an error whose message is an object': Object.assign(new Error(), { message: Object.create(null) }),
    'an error with a field __proto__': Object.assign(new Error(), JSON.parse('{"__proto__":{"a":1}}')),
  }
  for (const [name, thrown] of Object.entries(hostile))
    test(`is described although it is ${name}`, () => {
      assert.notEqual(stackOf(thrown), '')
      assert.ok(passOn(thrown) instanceof Error)
    })
})
