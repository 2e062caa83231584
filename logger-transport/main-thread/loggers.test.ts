import assert from 'node:assert/strict'
import { once } from 'node:events'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pino from 'pino'
import winston from 'winston'
import { until } from '../../test/faults/fault.ts'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { segments } from './index.ts'
import { segments as segmentsForWinston } from './winston.ts'

const linesIn = (directory: string) =>
  globSync(join(directory, '*/*.ndjson')).flatMap(file =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(line => line.trim())
      .map(line => JSON.parse(line)),
  )

test('a pino logger writes segments, with its own options and children', async t => {
  const directory = temporaryDirectory(t)
  const lines = segments({ directory })
  const logger = pino({ base: null, redact: ['secret'] }, lines)
  logger.child({ requestId: 'r' }).warn({ secret: 1 }, 'slow')
  await lines.close()
  const [{ time, ...line }, ...others] = linesIn(directory)
  assert.deepEqual([line, others], [{ level: 40, requestId: 'r', secret: '[Redacted]', msg: 'slow' }, []])
})

test('pino takes segments as its only argument, and as a target in a thread', async t => {
  const [alone, inThread] = [temporaryDirectory(t), temporaryDirectory(t)]
  const lines = segments({ directory: alone })
  pino(lines).info('one')
  await lines.close()
  const target = join(import.meta.dirname, 'pino.ts')
  const transport = pino.transport({ target, options: { directory: inThread } })
  const logger = pino(transport)
  for (const text of ['one', 'x'.repeat(2 ** 16), 'ä']) logger.info(text)
  const closed = once(transport, 'close')
  transport.end()
  await closed
  assert.deepEqual(
    linesIn(alone).map(({ msg }) => msg),
    ['one'],
  )
  assert.deepEqual(
    linesIn(inThread).map(({ msg }) => msg.length),
    [3, 2 ** 16, 1],
  )
})

const { combine, json, printf, simple, timestamp } = winston.format
const several = printf(() => '{"timestamp":1}\n{"more":2}')
for (const [what, format, isKept] of [
  ['that is no JSON', simple(), false],
  ['that adds the timestamp after the JSON', combine(json(), timestamp()), false],
  ['of several lines', combine(timestamp(), several), false],
  [
    'of JSON with a timestamp, which stays as it is',
    combine(timestamp({ format: () => 'noon' }), json()),
    true,
  ],
] as const)
  test(`a winston logger with a format ${what} writes a line of JSON with a timestamp`, async t => {
    const directory = temporaryDirectory(t)
    const transports = [segmentsForWinston({ directory, level: 'warn' })]
    const logger = winston.createLogger({ format, transports })
    logger.info('not enough')
    logger.warn('slow', { code: 'E' })
    await until(() => linesIn(directory).length > 0)
    const [{ timestamp, ...line }, ...others] = linesIn(directory)
    assert.deepEqual([line, others], [{ level: 'warn', message: 'slow', code: 'E' }, []])
    assert.ok(isKept ? timestamp === 'noon' : Date.parse(timestamp) > 0)
  })

test('an option with a wrong value is refused, also by a stream for a logger', t => {
  const directory = temporaryDirectory(t)
  for (const [options, message] of [
    [{ directory, memoryMib: 0 }, 'segments: memoryMib expects an integer from 1 to 4096, received 0'],
    [{ directory, memoryMib: '16' }, 'segments: memoryMib expects an integer from 1 to 4096, received "16"'],
    [
      { directory, diskMib: Number.POSITIVE_INFINITY },
      'segments: diskMib expects an integer from 8 to 1000000, received Infinity',
    ],
    [{}, 'segments: directory expects some text, received undefined'],
  ] as const) {
    assert.throws(() => segments(options as never), { name: 'RangeError', message })
    assert.throws(() => segmentsForWinston(options as never), { name: 'RangeError', message })
  }
  assert.deepEqual(readdirSync(directory), [], 'nothing was opened')
})

test('a line may lack its newline, and several may be written at once', async t => {
  const directory = temporaryDirectory(t)
  const lines = segments({ directory })
  for (const text of [
    '{"n":1}',
    '{"n":2}\n',
    '{"n":3}\n{"n":4}',
    Buffer.from('{"n":5}\n') as unknown as string,
    '',
    '\r\n\n',
    '\n{"n":6}\r\n\n',
  ])
    lines.write(text)
  await lines.close()
  assert.deepEqual(
    linesIn(directory).map(({ n }) => n),
    [1, 2, 3, 4, 5, 6],
  )
  assert.deepEqual(
    globSync(join(directory, '*/closed')).map(file => readFileSync(file, 'utf8')),
    ['6'],
  )
})

test('what cannot be made text ends no service', async t => {
  const directory = temporaryDirectory(t)
  const lines = segments({ directory })
  const hostile = { toString: () => assert.fail('no text') }
  for (const given of [Object.create(null), hostile, Symbol('s'), undefined])
    lines.write(given as unknown as string)
  await lines.close()
  const [file = ''] = globSync(join(directory, '*/*.ndjson'))
  assert.deepEqual(
    readFileSync(file, 'utf8')
      .split('\n')
      .map(line => line.replace(/:.*/, '')),
    ['a line that cannot be made text', 'a line that cannot be made text', 'Symbol(s)', 'undefined', ''],
  )
})
