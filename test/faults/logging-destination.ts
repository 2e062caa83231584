import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import protobuf from 'protobufjs'
import { listen } from '../../lib/listen.ts'

/** How a destination treats the log lines that it receives. */
export type Conduct = 'takes' | 'refuses' | 'is slow' | 'hangs'

const QUICK_RETRY_MS = 100
const SLOW_MS = 1000

const { root } = protobuf.parse(`
  syntax = "proto3";
  message Logs { repeated ResourceLogs resource_logs = 1; }
  message ResourceLogs { repeated ScopeLogs scope_logs = 2; }
  message ScopeLogs { repeated LogRecord log_records = 2; }
  message LogRecord { repeated KeyValue attributes = 6; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { int64 int_value = 3; double double_value = 4; } }
`)

/** Starts a receiver of OTLP logs. It can be told to refuse lines, to be slow, or not to answer at all. */
export async function startDestination(conduct: Conduct = 'takes') {
  let current = conduct
  let refused = 0
  const received: number[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    if (current === 'hangs') return
    if (current === 'refuses') {
      refused++
      response.writeHead(503, { 'retry-after': String(QUICK_RETRY_MS / 1000) }).end()
      return
    }
    if (current === 'is slow') await delay(SLOW_MS)
    received.push(...readSequences(body))
    response.setHeader('content-type', 'application/x-protobuf').end()
  })
  const url = await listen(server, '127.0.0.1', 0)
  return {
    url,
    refused: () => refused,
    /** The numbers of the lines that the destination took, in the order of their arrival. */
    received: received as readonly number[],
    behave(how: Conduct) {
      current = how
    },
    close() {
      server.closeAllConnections()
      return new Promise(resolve => server.close(resolve))
    },
  }
}

interface Logs {
  readonly resourceLogs: readonly { readonly scopeLogs: readonly { readonly logRecords: readonly Log[] }[] }[]
}

interface Log {
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

function readSequences(body: Buffer): number[] {
  const type = root.lookupType('Logs')
  const { resourceLogs } = type.toObject(type.decode(body), { arrays: true, longs: Number }) as Logs
  return resourceLogs
    .flatMap(({ scopeLogs }) => scopeLogs)
    .flatMap(({ logRecords }) => logRecords)
    .flatMap(({ attributes }) => attributes.filter(({ key }) => key === 'sequence'))
    .map(({ value }) => Number(Object.values(value)[0]))
}
