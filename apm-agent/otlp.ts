import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attributes } from '@opentelemetry/api'
import protobuf from 'protobufjs'

const { root } = protobuf.parse(readFileSync(join(import.meta.dirname, 'otlp.proto'), 'utf8'))

/** Ten thousand spans are ten thousand fields, and a metric point with five attributes has about twenty. */
const MAX_FIELDS = 200_000
/** The wire type of a field with a length: a message, a text or bytes. */
const WITH_LENGTH = 2

/**
 * A reader of messages whose fields need no more memory than a body may cost: two bytes are enough for an empty message, which
 * becomes an object of a hundred.
 * @returns a function that throws when the bytes are not such a message, or have too many fields
 */
export function readerOf<Shape>(name: string): (bytes: Uint8Array) => Shape {
  const type = root.lookupType(name)
  return bytes => {
    countFields(type, protobuf.Reader.create(bytes), bytes.length, 0)
    const options = { arrays: true, oneofs: true, longs: Number }
    return type.toObject(type.decode(bytes), options) as Shape
  }
}

/** @returns the number of fields so far */
function countFields(type: protobuf.Type, reader: protobuf.Reader, end: number, before: number): number {
  let count = before
  while (reader.pos < end) {
    if (++count > MAX_FIELDS) throw new RangeError(`it has more than ${MAX_FIELDS} fields`)
    const tag = reader.uint32()
    const inner = type.fieldsById[tag >>> 3]?.resolve().resolvedType
    if (inner instanceof protobuf.Type && (tag & 7) === WITH_LENGTH) {
      const length = reader.uint32()
      count = countFields(inner, reader, reader.pos + length, count)
    } else reader.skipType(tag & 7)
  }
  return count
}

const readTraces = readerOf<{
  resourceSpans: { resource?: { attributes: KeyValue[] }; scopeSpans: { spans: unknown[] }[] }[]
}>('ExportTraceServiceRequest')

/**
 * The number of spans of each resource in an ExportTraceServiceRequest.
 * @throws when the bytes are not such a request, or have too many fields
 */
export const countSpans = (bytes: Uint8Array): { resource: Attributes; items: number }[] =>
  readTraces(bytes).resourceSpans.map(({ resource, scopeSpans }) => ({
    resource: toAttributes(resource?.attributes),
    items: scopeSpans.reduce((total, { spans }) => total + spans.length, 0),
  }))

const readLogs = readerOf<{ resourceLogs: { scopeLogs: { logRecords: unknown[] }[] }[] }>(
  'ExportLogsServiceRequest',
)

/**
 * The number of records in an ExportLogsServiceRequest.
 * @throws when the bytes are not such a request, or have too many fields
 */
export const countLogRecords = (bytes: Uint8Array): number =>
  readLogs(bytes)
    .resourceLogs.flatMap(({ scopeLogs }) => scopeLogs)
    .reduce((total, { logRecords }) => total + logRecords.length, 0)

const readResponse = readerOf<{ partialSuccess?: { rejected?: number; errorMessage?: string } }>(
  'ExportResponse',
)

/**
 * What the answer of a collector says of a success that is not whole: the number of items that it has rejected, and why. An answer that
 * is no such message says nothing.
 */
export function readPartialSuccess(answer: Uint8Array): { rejected: number; message: string } {
  try {
    const { rejected = 0, errorMessage = '' } = readResponse(answer).partialSuccess ?? {}
    return { rejected: Math.max(0, rejected), message: errorMessage }
  } catch {
    return { rejected: 0, message: '' }
  }
}

export interface KeyValue {
  readonly key?: string
  readonly value?: AnyValue
}

/** `value` names the field that is set. */
interface AnyValue extends Readonly<Record<string, unknown>> {
  readonly value?: string
}

export const toAttributes = (pairs: readonly KeyValue[] = []): Attributes =>
  Object.fromEntries(pairs.map(({ key = '', value }) => [key, toValue(value) as string]))

function toValue(any: AnyValue | undefined): unknown {
  const value = any?.[any.value ?? '']
  if (any?.value === 'arrayValue') return (value as { values: AnyValue[] }).values.map(toValue)
  if (any?.value === 'kvlistValue') return toAttributes((value as { values: KeyValue[] }).values)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return value
}
