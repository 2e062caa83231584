import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { findSlice } from './rules.ts'

const ROOT = join(import.meta.dirname, '../..')

describe('the time of a function', () => {
  const files: readonly (readonly [string, ReturnType<typeof findSlice>])[] = [
    [`file://${ROOT}/app/concerns/framework/contract.ts`, 'framework'],
    [`file://${ROOT}/loadtest/sample/handicap.ts`, 'control'],
    [`file://${ROOT}/app/service.ts`, 'application'],
    [`file://${ROOT}/orders/messages.ts`, 'serialization'],
    [`file://${ROOT}/lib/units.ts`, undefined],
    [`${ROOT}/node_modules/@opentelemetry/core/index.js`, 'apm'],
    [`${ROOT}/node_modules/undici/node_modules/react/index.js`, 'rendering'],
    [`${ROOT}/node_modules/reactive/index.js`, undefined],
    ['node:_http_outgoing', 'http'],
    ['node:internal/streams/writable', undefined],
    ['', undefined],
  ]
  for (const [url, slice] of files)
    test(`in ${url.replace(ROOT, '…') || 'generated code'} counts for ${slice ?? "its caller's"}`, () => {
      assert.equal(findSlice(url), slice)
    })
})
