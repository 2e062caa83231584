import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { getNode } from './installed.ts'

describe('an installed Node.js', () => {
  test('is found by the first numbers of its version', () => {
    const { version, path } = getNode(process.versions.node)
    assert.equal(version, process.versions.node)
    assert.ok(path.length > 0)
    const major = version.split('.')[0] as string
    assert.match(getNode(major).version, new RegExp(`^${major}\\.`))
    assert.equal(getNode(version).lacks, null)
  })

  test('that npm cannot get is told in one line', t => {
    const { PATH = '' } = process.env
    t.after(() => {
      process.env.PATH = PATH
    })
    process.env.PATH = '/nowhere'
    t.mock.method(process.stderr, 'write', () => true)
    assert.throws(() => getNode('1.2'), {
      name: 'UserError',
      message: /^npm could not get \S+@1\.2 into \S+: spawnSync npm ENOENT$/,
    })
  })
})
