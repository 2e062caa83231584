import { type Frame, ProtocolError } from './frames.ts'
import { isPlainObject } from './metrics.ts'
import { LAST_MS, type Sender, type StringsPayload } from './protocol.ts'

/** Reads JSON payloads. Only checked values are used, and one that is malformed costs no other. */

const MAX_ATTRIBUTE_CHARS = 4096

/** @throws ProtocolError if nothing identifies the app; attributes that are none are left out */
export function readHello(frame: Frame): Sender {
  const { resource, timeOriginMs = -1 } = Object(readJson(frame)) as Partial<Sender>
  if (!isPlainObject(resource) || !(timeOriginMs >= 0 && timeOriginMs <= LAST_MS))
    throw new ProtocolError('content', 'hello is JSON with a resource and a timeOriginMs')
  const attributes = Object.entries(resource).filter(([, value]) => isAttribute(value))
  return { resource: Object.fromEntries(attributes) as Sender['resource'], timeOriginMs }
}

const isAttribute = (value: unknown) =>
  (typeof value === 'string' && value.length <= MAX_ATTRIBUTE_CHARS) || Number.isFinite(value)

/** A string that is none is empty, so that the others keep their ids. @throws ProtocolError */
export function readStrings(frame: Frame): StringsPayload {
  const { firstId, strings } = Object(readJson(frame)) as Partial<StringsPayload>
  if (!Number.isInteger(firstId) || !Array.isArray(strings))
    throw new ProtocolError('content', 'strings are JSON with a firstId')
  const texts = strings.map(each => (typeof each === 'string' ? each : ''))
  return { firstId: firstId as number, strings: texts }
}

/** The value of a frame's JSON; undefined if it is none. */
export function readJson({ memory, start, end }: Frame): unknown {
  try {
    return JSON.parse(memory.bytes.toString('utf8', start, end))
  } catch {
    return undefined
  }
}
