/** A service that asks another, under the instrumentations of OpenTelemetry, which `PLAIN` leaves out. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { registerInstrumentations } from '@opentelemetry/instrumentation'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

if (!process.env.PLAIN) {
  const exporter = {
    export: (_: unknown, done: (result: { code: number }) => void) => done({ code: 0 }),
    shutdown: async () => {},
  }
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] }),
  )
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  registerInstrumentations({ instrumentations: [new HttpInstrumentation(), new UndiciInstrumentation()] })
}

// An instrumentation sees what `require` loads.
const { createServer }: typeof import('node:http') = createRequire(import.meta.url)('node:http')
const listen = async (server: Server, port: number | string) => once(server.listen(port), 'listening')
const orders = createServer((_, response) => response.end('{}'))
await listen(orders, 0)
const url = `http://127.0.0.1:${(orders.address() as AddressInfo).port}`
const answer = async () => (await fetch(url)).text()
await listen(
  createServer(async (_, response) => response.end(await answer())),
  process.env.PORT ?? 0,
)
