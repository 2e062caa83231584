import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renameOldVariables, withoutOptions } from './option-variables.ts'
import { duration, text } from './options.ts'

const table = {
  host: text({ placeholder: 'HOST', help: '' }),
  requestTimeoutMs: duration({ help: '' }),
}

describe('variables without the prefix', () => {
  test('keep their names outside of our images', () => {
    const env = { HOST: 'a' }
    assert.deepEqual(renameOldVariables(table, env), [])
    assert.deepEqual(env, { HOST: 'a' })
  })

  test('are renamed in our images, each with a line that names the new one', () => {
    const env = { DMT_IN_IMAGE: 'true', HOST: 'a', REQUEST_TIMEOUT: '1s', PORT: '1' }
    assert.deepEqual(
      renameOldVariables(table, env).map(line => line.split(';')[0]),
      ['warning: HOST is now DMT_HOST', 'warning: REQUEST_TIMEOUT is now DMT_REQUEST_TIMEOUT'],
    )
    assert.deepEqual(env, {
      DMT_IN_IMAGE: 'true',
      DMT_HOST: 'a',
      DMT_REQUEST_TIMEOUT: '1s',
      PORT: '1',
    })
  })

  test('do not replace variables with the prefix', () => {
    const env = { DMT_IN_IMAGE: 'true', DMT_HOST: 'new', HOST: 'old' }
    assert.equal(renameOldVariables(table, env).length, 1)
    assert.deepEqual(env, { DMT_IN_IMAGE: 'true', DMT_HOST: 'new' })
  })

  test('are ignored if they are empty', () => {
    const env = { DMT_IN_IMAGE: 'true', HOST: '' }
    assert.deepEqual(renameOldVariables(table, env), [])
  })
})

test('a child process whose options are flags gets none of our variables', () => {
  assert.deepEqual(
    withoutOptions({ DMT_HOST: 'a', DMT_IN_IMAGE: 'true', HOST: 'b', OTEL_SERVICE_NAME: 'c' }),
    {
      HOST: 'b',
      OTEL_SERVICE_NAME: 'c',
    },
  )
})
