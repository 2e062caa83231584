import protobuf from 'protobufjs'

/** The parts of OpenTelemetry's logs protocol that tests look at. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Logs { repeated ResourceLogs resource_logs = 1; }
  message ResourceLogs { Resource resource = 1; repeated ScopeLogs scope_logs = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeLogs { repeated LogRecord log_records = 2; }
  message LogRecord {
    fixed64 time_unix_nano = 1; uint32 severity_number = 2; string severity_text = 3; AnyValue body = 5; repeated KeyValue attributes = 6;
    fixed32 flags = 8; bytes trace_id = 9; bytes span_id = 10;
  }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value {
      string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; List list_value = 5; Map map_value = 6;
    }
  }
  message List { repeated AnyValue values = 1; }
  message Map { repeated KeyValue values = 1; }
`)
const type = root.lookupType('Logs')

interface Value {
  readonly [kind: string]: unknown
}

interface KeyValue {
  readonly key: string
  readonly value: Value
}

interface Message {
  readonly resourceLogs: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] }
    readonly scopeLogs: readonly { readonly logRecords: readonly LogMessage[] }[]
  }[]
}

interface LogMessage {
  readonly timeUnixNano: number
  readonly severityNumber: number
  readonly severityText: string
  readonly body: Value | null
  readonly attributes: readonly KeyValue[]
  readonly flags: number
  readonly traceId: Buffer
  readonly spanId: Buffer
}

/** The log records of each resource in the body of an export request. */
export function decodeLogs(body: Buffer) {
  const options = { arrays: true, defaults: true, longs: Number, oneofs: false }
  const { resourceLogs } = type.toObject(type.decode(body), options) as Message
  return resourceLogs.map(({ resource, scopeLogs }) => ({
    resource: toObject(resource.attributes),
    records: scopeLogs.flatMap(({ logRecords }) => logRecords).map(describe),
  }))
}

const describe = ({
  timeUnixNano,
  severityNumber,
  severityText,
  body,
  attributes,
  flags,
  traceId,
  spanId,
}: LogMessage) => ({
  timeMs: timeUnixNano / 1e6,
  severityNumber,
  severityText,
  body: readValue(body),
  attributes: toObject(attributes),
  flags,
  traceId: Buffer.from(traceId).toString('hex'),
  spanId: Buffer.from(spanId).toString('hex'),
})

/** @returns undefined if there is no value, null if there is one without content */
function readValue(value: Value | null): unknown {
  if (!value) return undefined
  const { listValue, mapValue } = value as {
    listValue?: { values: Value[] }
    mapValue?: { values: KeyValue[] }
  }
  if (listValue) return listValue.values.map(readValue)
  return mapValue ? toObject(mapValue.values) : (Object.values(value)[0] ?? null)
}

const toObject = (pairs: readonly KeyValue[]): Record<string, unknown> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, readValue(value)]))
