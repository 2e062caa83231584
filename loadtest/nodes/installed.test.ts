import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findNode } from './installed.ts'

describe('an installed Node.js', () => {
  test('is found by the first numbers of its version', () => {
    const { version, path } = findNode(process.versions.node)
    assert.equal(version, process.versions.node)
    assert.ok(path.length > 0)
    const major = version.split('.')[0] as string
    assert.match(findNode(major).version, new RegExp(`^${major}\\.`))
    assert.equal(findNode(version).lacks, null)
  })

  test('that is not there is said in one line, with those that are', () => {
    assert.throws(() => findNode('1.2'), {
      message: /^Node\.js 1\.2 is not on this machine, which has \d.*$/,
    })
  })
})
