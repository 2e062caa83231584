import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import protobuf from 'protobufjs'
import { listen } from '../../lib/http/listen.ts'

/** The ids and kinds of the spans in an ExportTraceServiceRequest. */
const Traces = protobuf
  .parse(`
    syntax = "proto3";
    message Traces { repeated ResourceSpans resource_spans = 1; }
    message ResourceSpans { repeated ScopeSpans scope_spans = 2; }
    message ScopeSpans { repeated Span spans = 2; }
    message Span { bytes span_id = 2; uint32 kind = 6; }
  `)
  .root.lookupType('Traces')

interface TracesBody {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly { spanId: Buffer; kind: number }[] }[]
  }[]
}

const SERVER = 2

/** Number of different spans, of SERVER spans among them, and of spans that came again. */
export interface SpanCounts {
  readonly spans: number
  readonly serverSpans: number
  readonly repeated: number
}

const decompress = promisify(gunzip)

/** Starts an OTLP/HTTP receiver that counts different spans by their ids. */
export async function startSpanReceiver() {
  const ids = new Set<string>()
  const counts = { spans: 0, serverSpans: 0, repeated: 0 }
  const server = createServer(async (request, response) => {
    // A killed sender does not finish its body.
    const sent = await buffer(request).catch(() => undefined)
    if (!sent) return
    const body = request.headers['content-encoding'] === 'gzip' ? await decompress(sent) : sent
    if (request.url === '/v1/traces') for (const span of spansOf(body)) take(span)
    response.setHeader('content-type', 'application/x-protobuf').end()
  })
  const take = ({ spanId, kind }: { spanId: Buffer; kind: number }) => {
    const id = Buffer.from(spanId).toString('latin1')
    if (ids.has(id)) {
      counts.repeated++
      return
    }
    ids.add(id)
    counts.spans++
    if (kind === SERVER) counts.serverSpans++
  }
  const url = await listen(server, '127.0.0.1', 0)
  return {
    url,
    counts: counts as SpanCounts,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const spansOf = (body: Uint8Array) =>
  (Traces.decode(body) as unknown as TracesBody).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans),
  )
