import assert from 'node:assert/strict'
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../../../test/temporary-directory.ts'
import { publishToken, readToken, tokenFileOf } from './token-file.ts'

const ADMIN_URL = 'http://127.0.0.1:3002'

/** The path of a socket in a directory that does not exist yet. */
function newSocket(t: TestContext): string {
  return join(temporaryDirectory(t), 'run/agent.sock')
}

describe('the file of the token', () => {
  test('is for this user only, in a directory for this user only, until the app ends', t => {
    const socket = newSocket(t)
    const file = tokenFileOf(socket, ADMIN_URL)
    const remove = publishToken('secret', socket, ADMIN_URL)
    assert.equal(readToken(file), 'secret')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(statSync(dirname(file)).mode & 0o777, 0o700)
    remove()
    assert.equal(existsSync(file), false)
  })

  test('replaces that of an app that was killed, whatever its mode', t => {
    const socket = newSocket(t)
    const file = tokenFileOf(socket, ADMIN_URL)
    publishToken('old', socket, ADMIN_URL)
    writeFileSync(file, 'other')
    chmodSync(file, 0o644)
    publishToken('new', socket, ADMIN_URL)
    assert.equal(readToken(file), 'new')
    assert.equal(statSync(file).mode & 0o777, 0o600)
  })

  test('that is missing means that no stack runs', t => {
    const file = tokenFileOf(newSocket(t), ADMIN_URL)
    assert.throws(() => readToken(file), /^UserError: no stack with fault switches runs here/)
  })
})
