import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { type Implementation, implementations, namesOf } from '../concerns.ts'
import { resource } from '../resource.ts'
import type { LogLevel } from './contract.ts'

const writing = namesOf('logging').filter(name => name !== 'none')

async function start(t: TestContext, name: Implementation<'logging'>, level: LogLevel = 'info') {
  const directory = mkdtempSync(join(tmpdir(), 'logging-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'deep', 'app.log')
  let request = 0
  const requestFields = () => ({ requestId: `request-${++request}`, traceId: 'trace' })
  const { createLogging } = await implementations.logging[name]()
  const logging = await createLogging({ file, level, resource, requestFields })
  const linesAfterClose = async () => {
    await logging.close()
    return readFileSync(file, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line))
  }
  return { ...logging, file, linesAfterClose }
}

for (const name of writing) {
  describe(`logging/${name}`, () => {
    test('writes the fields of the line, the request and the resource', async t => {
      const before = Date.now()
      const { logger, linesAfterClose } = await start(t, name)
      logger.info('order read', { orderId: 7, total: 1.5 })
      const [{ time, ...line }] = await linesAfterClose()
      assert.ok(Number.isInteger(time) && time >= before && time <= Date.now(), `time ${time}`)
      assert.deepEqual(line, {
        ...resource,
        level: 'info',
        requestId: 'request-1',
        traceId: 'trace',
        message: 'order read',
        orderId: 7,
        total: 1.5,
      })
    })

    test('writes a line without fields, and one whose text needs escaping, as one line each', async t => {
      const { logger, linesAfterClose } = await start(t, name)
      const awkward = 'two\nlines "quoted" \u2028 %s %j'
      logger.warn('plain')
      logger.error(awkward, { awkward })
      const lines = await linesAfterClose()
      assert.deepEqual(
        lines.map(({ level, message, awkward }) => ({ level, message, awkward })),
        [
          { level: 'warn', message: 'plain', awkward: undefined },
          { level: 'error', message: awkward, awkward },
        ],
      )
    })

    test('leaves out and does not count what is below its level', async t => {
      const { logger, counts, linesAfterClose } = await start(t, name, 'warn')
      logger.debug('no')
      logger.info('no')
      logger.warn('yes')
      logger.error('yes')
      assert.equal((await linesAfterClose()).length, 2)
      assert.deepEqual(counts(), { emitted: 2, dropped: 0 })
    })

    test('has written every line, in order, when it is closed', async t => {
      const { logger, counts, linesAfterClose } = await start(t, name)
      const numbers = Array.from({ length: 20_000 }, (_, number) => number)
      for (const number of numbers) logger.info('a line of many', { number })
      assert.deepEqual(
        (await linesAfterClose()).map(({ number }) => number),
        numbers,
      )
      assert.deepEqual(counts(), { emitted: numbers.length, dropped: 0 })
    })
  })
}

describe('logging/none', () => {
  test('writes and counts nothing', async t => {
    const { logger, counts, close, file } = await start(t, 'none')
    logger.error('nothing')
    await close()
    assert.deepEqual(counts(), { emitted: 0, dropped: 0 })
    assert.equal(existsSync(file), false)
  })
})
