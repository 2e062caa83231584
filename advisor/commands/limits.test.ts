import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertKnown, assertWithin, parseLimits } from './limits.ts'

test('limits are concerns with shares', () => {
  assert.deepEqual(parseLimits('logging=20%,auth and crypto=0.5%'), [
    { concern: 'logging', share: 0.2 },
    { concern: 'auth and crypto', share: 0.005 },
  ])
  for (const wrong of ['logging', 'logging=20', '=20%', 'logging=20%;apm=1%'])
    assert.equal(parseLimits(wrong), undefined)
})

const rendering = { concern: 'rendering', owner: 'react-dom', share: 0.07, gcShare: 0.01 }
const main = { cpuMs: 1000, coverage: 0.9, shares: [rendering] }

test('a concern that exceeds its limit is refused, and one that the spectrum lacks is not', () => {
  assertWithin(main, [
    { concern: 'rendering', share: 0.09 },
    { concern: 'apm', share: 0 },
  ])
  assert.throws(() => assertWithin(main, [{ concern: 'rendering', share: 0.07 }]), {
    name: 'UserError',
    message: 'rendering takes 8.0 % of the main thread, more than 7.0 %',
  })
})

test('limits are not judged by a profile of a process that missed too much', () => {
  for (const coverage of [0.4, 0.89, null]) {
    assert.throws(() => assertWithin({ ...main, coverage }, []), {
      name: 'UserError',
      message: /needs a coverage/,
    })
  }
  assertWithin({ ...main, cpuMs: null, coverage: null }, [])
})

test('a limit of a concern that no table has is refused', () => {
  assertKnown([{ concern: 'logging', share: 0.2 }])
  assertKnown([{ concern: 'application', share: 0.2 }])
  for (const concern of ['loging', 'control']) {
    assert.throws(() => assertKnown([{ concern, share: 0.2 }]), {
      name: 'UserError',
      message: /no concern "\w+"; the concerns are .*logging.*runtime/,
    })
  }
})
