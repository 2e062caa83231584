import protobuf from 'protobufjs'

/** The parts of OpenTelemetry's logs protocol that tests look at. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Logs { repeated ResourceLogs resource_logs = 1; }
  message ResourceLogs { Resource resource = 1; repeated ScopeLogs scope_logs = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeLogs { repeated LogRecord log_records = 2; }
  message LogRecord {
    uint32 severity_number = 2; string severity_text = 3; AnyValue body = 5; repeated KeyValue attributes = 6;
    fixed32 flags = 8; bytes trace_id = 9; bytes span_id = 10;
  }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; int64 int_value = 3; double double_value = 4; } }
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
  readonly severityNumber: number
  readonly severityText: string
  readonly body: Value
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
  severityNumber,
  severityText,
  body,
  attributes,
  flags,
  traceId,
  spanId,
}: LogMessage) => ({
  severityNumber,
  severityText,
  body: readValue(body),
  attributes: toObject(attributes),
  flags,
  traceId: Buffer.from(traceId).toString('hex'),
  spanId: Buffer.from(spanId).toString('hex'),
})

const readValue = (value: Value) => Object.values(value)[0]

const toObject = (pairs: readonly KeyValue[]): Record<string, unknown> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, readValue(value)]))
