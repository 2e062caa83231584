import assert from 'node:assert/strict'
import { describeResource } from '../../../lib/telemetry/resource.ts'
import { enrich, type LogRecord } from '../../../logger-transport/record.ts'
import { createOtlpTarget } from '../../../logger-transport/targets/otlp.ts'
import { startCollector } from '../../collector.ts'
import { decodeLogs } from '../../otlp-receiver.ts'
import { Draw } from './draw.ts'

const BATCH = 500
const resource = { service: 'shop', version: '1', host: 'h', pid: 7, instance: 'a' }
const described = describeResource(resource)

/** Names that loggers, the transport and OpenTelemetry give to fields. */
const NAMES = [
  ...'level severity log.level time timestamp @timestamp message msg'.split(' '),
  ...'trace_id span_id trace_flags sequence raw'.split(' '),
  ...[...Object.keys(resource), ...Object.keys(described)],
]

/**
 * Sends lines with odd fields through the transport to a collector: as lines of a writer, and as lines of its log file, which
 * say their resource themselves. No field may change the resource, and each line must arrive. @returns the number of lines
 */
export async function fuzzLines(_directory: string, inputs: number, seed: number): Promise<number> {
  const draw = new Draw(seed)
  const closing: (() => void)[] = []
  const { url, received } = await startCollector({ after: end => void closing.push(end as never) }, [200])
  const target = createOtlpTarget(url)
  let sent = 0
  for (; sent < inputs; sent += BATCH) {
    const records = Array.from({ length: BATCH }, () => drawRecord(draw))
    assert.deepEqual(await target.deliver(records), [], 'lines were refused')
    const groups = received.splice(0).flatMap(({ body }) => decodeLogs(body))
    for (const group of groups) assert.deepEqual(group.resource, described)
    assert.equal(groups.flatMap(({ records }) => records).length, BATCH, 'lines were lost')
  }
  for (const close of closing) close()
  return sent
}

function drawRecord(draw: Draw): LogRecord {
  const line = drawLine(draw)
  const record = enrich(line, resource)
  const again = enrich(record.text, {})
  assert.deepEqual(again.resource, resource, `the resource of ${record.text}`)
  return draw.chance(0.5) ? record : again
}

/** A line of JSON in which a name may stand twice; sometimes none. */
function drawLine(draw: Draw): string {
  if (draw.chance(0.05)) return draw.text(20)
  const fields = draw.times(6, () => {
    const name = draw.chance(0.8) ? draw.pick(NAMES) : drawName(draw)
    return `${JSON.stringify(name)}:${JSON.stringify(drawJson(draw)) ?? 'null'}`
  })
  const head = draw.chance(0.3)
    ? ['"level":30', `"time":${draw.pick([1, 1_795_000_000_000, '"2026-11-26"'])}`]
    : []
  return `{${[...head, ...fields].join(',')}}`
}

const NUMBERS = [
  ...[0, -0, 1, -1, 0.5, 7, 255, 1e8, 1e11, 1e308],
  ...[2 ** 31 - 1, 2 ** 31, 2 ** 53, -(2 ** 63), Number.MIN_VALUE],
]
const TEXTS = [
  ...['', ' ', '7', 'true', 'null', 'Infinity', '__proto__', 'constructor', 'toString'],
  ...['\ud800', '\u0000\n', 'ü€😀', 'x'.repeat(300)],
]

const drawName = (draw: Draw): string => (draw.chance(0.5) ? draw.pick(TEXTS) : draw.text(12, 0x20, 0x2ff))

/** Any value that JSON can contain. */
function drawJson(draw: Draw, depth = 3): unknown {
  const kind = draw.below(depth > 0 ? 7 : 5)
  if (kind < 2) return draw.pick(NUMBERS)
  if (kind < 4) return drawName(draw)
  if (kind === 4) return draw.pick([null, true, false])
  if (kind === 5) return draw.times(3, () => drawJson(draw, depth - 1))
  return Object.fromEntries(draw.times(3, () => [drawName(draw), drawJson(draw, depth - 1)]))
}
