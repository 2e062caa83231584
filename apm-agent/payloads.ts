import { type Frame, ProtocolError } from './frames.ts'
import { isPulse, type Pulse } from './live/pulse-protocol.ts'
import type { Hello, MetricPoint, StringsPayload } from './protocol.ts'

/** Reads JSON payloads. Only checked fields are trusted. Each function throws ProtocolError `content`. */

export function readHello(frame: Frame): Hello {
  const { resource, timeOriginMs, receivedBefore = 0 } = readJson(frame) as Partial<Hello>
  if (!isPlainObject(resource) || !Number.isFinite(timeOriginMs) || !Number.isInteger(receivedBefore))
    throw new ProtocolError('content', 'hello has a resource, a timeOriginMs and numbers')
  return { resource: resource as Hello['resource'], timeOriginMs: timeOriginMs as number, receivedBefore }
}

export function readStrings(frame: Frame): StringsPayload {
  const { firstId, strings } = readJson(frame) as Partial<StringsPayload>
  if (
    !Number.isInteger(firstId) ||
    !Array.isArray(strings) ||
    !strings.every(each => typeof each === 'string')
  )
    throw new ProtocolError('content', 'strings have a firstId and are strings')
  return { firstId: firstId as number, strings }
}

export function readPoints(frame: Frame): MetricPoint[] {
  const points = readJson(frame)
  if (!Array.isArray(points) || !points.every(isPoint))
    throw new ProtocolError(
      'content',
      'points are a list of metrics with a value and attributes that are text',
    )
  return points
}

export function readPulse(frame: Frame): Pulse {
  const given = readJson(frame)
  if (!isPulse(given)) throw new ProtocolError('content', 'the payload is no pulse')
  return given
}

const isPoint = (given: unknown): given is MetricPoint =>
  isPlainObject(given) &&
  typeof given.metric === 'string' &&
  typeof given.value === 'number' &&
  (given.attributes === undefined || isTexts(given.attributes))

const isTexts = (given: unknown): boolean =>
  isPlainObject(given) && Object.values(given).every(value => typeof value === 'string')

function readJson({ memory, start, end }: Frame): unknown {
  try {
    return JSON.parse(memory.bytes.toString('utf8', start, end)) ?? {}
  } catch {
    throw new ProtocolError('content', 'the payload is no JSON')
  }
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
