import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { implementations, namesOf } from '../../concerns.ts'
import { type Create, start, testLogging } from './suite.fixture.ts'

/** Implementations that keep no lines, and why. */
const silent: Readonly<Record<string, string>> = { none: 'the floor of the concern' }

for (const name of namesOf('logging')) {
  const module = await implementations.logging[name]()
  const createLogSink = module.createLogSink as unknown as Create
  if (!(name in silent)) testLogging(name, createLogSink)
  else
    test(`logging/${name} writes nothing and counts every line as dropped`, async t => {
      const { logger, counts, close, logFile } = await start(t, createLogSink)
      logger.error('nothing')
      await close()
      assert.deepEqual(counts(), { emitted: 1, dropped: 1 })
      assert.equal(existsSync(logFile), false)
    })
}
