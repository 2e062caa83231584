import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createElement } from 'react'
import { explainProps } from './explain-props.ts'

class Money {
  readonly cents = 5
}

const cyclic: Record<string, unknown> = { name: 'a ring' }
cyclic.self = cyclic

test('says which value of props cannot be sent, and why', () => {
  const cases: [object, RegExp][] = [
    [{ onClick() {} }, /^props\.onClick is a function/],
    [{ a: { b: [Symbol('s')] } }, /^props\.a\.b\[0\] is a symbol/],
    [{ a: createElement('b') }, /^props\.a is an element of React/],
    [{ a: { b: Promise.resolve() } }, /^props\.a\.b is a promise/],
    [{ orders: [{ total: new Money() }] }, /^props\.orders\[0\]\.total is an instance of Money, .* methods/],
    [{ a: AbortSignal.timeout(1) }, /^props\.a is an instance of AbortSignal/],
    [{ a: new URL('http://a/') }, /^props\.a cannot be copied.* instance of URL/],
    [{ a: new Map([['k', new Money()]]) }, /^props\.a\.get\(k\) is an instance of Money/],
    [{ a: new Proxy({}, {}) }, /^props\.a is a proxy/],
    [
      {
        a: {
          get b() {
            throw new Error('on purpose')
          },
        },
      },
      /^props cannot be read: on purpose/,
    ],
  ]
  for (const [props, expected] of cases) assert.match(explainProps(props)?.message ?? '', expected)
})

test('says nothing of what a thread gets as it is', () => {
  const shared = new Int32Array(new SharedArrayBuffer(4))
  const props = {
    data: [new Date(), /a/g, 5n, new Set([1]), new Map([[{}, []]]), null, undefined, Number.NaN],
    bytes: [Buffer.from('a'), shared, new ArrayBuffer(1)],
    error: new RangeError('an error'),
    bare: Object.assign(Object.create(null), { a: 1 }),
    late: Promise.resolve(),
    cyclic,
  }
  assert.equal(explainProps(props), undefined)
})
