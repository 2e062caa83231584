import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startProcess } from '../../../lib/processes/start-process.ts'
import { CHECKPOINT_FILE, CheckpointFile } from '../../../logger-transport/checkpoint-file.ts'
import { CLOSED_FILE, hasText, segmentName, WRITER_FILE } from '../../../logger-transport/protocol.ts'
import { permissionFlags } from '../../../stack/permissions.ts'
import { logPlaces } from '../../stack-parts.ts'
import { readAll } from '../written-lines.ts'
import { ask } from './answers.ts'
import { Draw } from './draw.ts'
import { drawRequest } from './requests.ts'

const MAIN = join(import.meta.dirname, '../../../logger-transport/main.ts')
const LINES_OF_A_WRITER = 200

const resource = { service: 'app', version: '1', host: 'h', pid: 1, instance: 'i' }
const valid = Buffer.from('{"time":1,"level":"info","sequence":7,"message":"a \\"line\\"\\n"}')
/** Names that loggers, the transport and OpenTelemetry give to fields, and others that are odd. */
const NAMES = [
  ...'level severity time @timestamp message msg trace_id span_id sequence raw service'.split(' '),
  ...['', '__proto__', 'constructor', '\ud800', '\u0000\n', '😀', 'x'.repeat(300)],
]
const VALUES = [null, true, 0, -0, 0.5, 1e308, 2 ** 53, -(2 ** 63), '', 'Infinity', ...NAMES]

/** Writes segments with some bytes changed, and sends requests to the server meanwhile. @returns the number of lines */
export async function fuzzSegments(directory: string, inputs: number, seed: number): Promise<number> {
  const draw = new Draw(seed)
  const options = logPlaces(directory)
  let written = 0
  let expected = 0
  for (let writer = 1; written < inputs; writer++) {
    const lines = drawLines(draw, LINES_OF_A_WRITER)
    const place = join(options.logDir, `writer-${writer}`)
    mkdirSync(place, { recursive: true, mode: 0o700 })
    const isBroken = draw.chance(0.2)
    writeFileSync(join(place, segmentName(draw.pick([1, 1, 2, 99_999_999]))), lines)
    writeFileSync(join(place, CLOSED_FILE), '')
    writeFileSync(join(place, WRITER_FILE), isBroken ? draw.pick(BROKEN_INFOS) : JSON.stringify({ resource }))
    written += LINES_OF_A_WRITER
    // The lines of a writer whose info is broken are delivered without it.
    expected += countLines(lines)
  }
  const transport = await startProcess({
    name: 'logger-transport',
    file: MAIN,
    flags: ['--port=0', `--log-dir=${options.logDir}`, `--log-file=${options.logFile}`, '--kept-files=1000'],
    nodeFlags: permissionFlags('logger-transport', options),
    echo: false,
  })
  const requests = Array.from({ length: 200 }, () =>
    drawRequest(draw, ['/metrics', '/counts', '/usage'], ['a']),
  )
  for (const request of requests)
    assert.ok((await ask(transport.addresses.http as string, request)).status < 500)
  const { logLines } = await transport.stop()
  assert.equal(logLines?.delivered, expected, 'lines were lost, or delivered twice')
  checkDelivered(directory, expected)
  return written
}

/** Values that are not a valid WriterInfo. */
const BROKEN_INFOS = [
  '',
  ...'null [] 1 "a" { {"resource":null} {"resource":[]} {"resource":"a"}'.split(' '),
  '\0',
]

/** Changes checkpoints on the disk. The transport must use only one that is valid. @returns the number of checkpoints */
export async function fuzzCheckpoints(directory: string, inputs: number, seed: number): Promise<number> {
  const draw = new Draw(seed)
  const file = join(directory, CHECKPOINT_FILE)
  const counts = '"delivered":9,"dropped":0,"rejected":0'
  const position = '"offset":17,"epoch":1,"line":4,"settled":4'
  const saved = Buffer.from(
    `{"file":{${counts},"positions":{"a":{"segment":3,${position}},"b":{"segment":1,${position}}}}}`,
  )
  const odd = [
    'null',
    '{"file":7}',
    '[]',
    '{"file":{"delivered":-1,"dropped":0,"rejected":0,"positions":{}}}',
    `{"file":{${counts},"positions":{"a":null}}}`,
    `{"file":{${counts},"positions":{"a":{"segment":-1,${position}}}}}`,
    `{"file":{${counts},"positions":{"a":{"segment":1e99,${position}}}}}`,
  ]
  for (let input = 0; input < inputs; input++) {
    writeFileSync(file, draw.chance(0.2) ? draw.pick(odd) : draw.mutate(saved))
    const checkpoint = new CheckpointFile(file).of('file')
    const { segment, offset } = checkpoint.position({ instance: 'a', epoch: 1 })
    for (const count of [segment, offset, ...Object.values(checkpoint.counts)])
      assert.ok(Number.isSafeInteger(count) && count >= 0)
  }
  return inputs
}

function drawLines(draw: Draw, count: number): Buffer {
  const kinds = [() => draw.bytes(100), () => Buffer.from(drawLine(draw)), () => draw.mutate(valid)]
  return Buffer.concat(
    Array.from({ length: count }, () => {
      const bytes = draw.pick(kinds)()
      return draw.chance(0.95) ? Buffer.concat([bytes, Buffer.from('\n')]) : bytes
    }),
  )
}

/** A line of JSON with odd fields, in which a name may stand twice. */
const drawLine = (draw: Draw): string =>
  `{${draw.times(6, () => `${JSON.stringify(draw.pick(NAMES))}:${JSON.stringify(drawJson(draw))}`).join()}}`

function drawJson(draw: Draw, depth = 3): unknown {
  const kind = draw.below(depth > 0 ? 4 : 2)
  if (kind < 2) return draw.pick(VALUES)
  const deeper = () => drawJson(draw, depth - 1)
  return kind === 2 ? draw.times(3, deeper) : { [draw.pick(NAMES)]: deeper() }
}

/** The text after the last newline is a line, too; a blank one is none. */
const countLines = (bytes: Buffer): number => bytes.toString().split('\n').filter(hasText).length

/** Asserts that each delivered line is JSON without control characters for a terminal. */
function checkDelivered(directory: string, expected: number): void {
  const delivered = readAll(directory).split('\n').slice(0, -1)
  assert.equal(delivered.length, expected)
  for (const each of delivered) {
    assert.equal(typeof JSON.parse(each), 'object')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must not occur
    assert.doesNotMatch(each, /[\u0000-\u0008\u000b-\u001f]/)
  }
}
