import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createPlainServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, inflateSync } from 'node:zlib'
import { unpack } from 'msgpackr'
import { countSpans } from '../../../apm-agent/otlp.ts'
import type { IntakeCounts, IntakeState } from './start-intake.ts'

const KEY = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
const NAME = '-subj /CN=localhost -addext subjectAltName=DNS:localhost'

/** A new key, and the certificate for localhost that it has signed itself. OpenSSL makes them. */
export function makeCertificate(): { readonly key: string; readonly cert: string } {
  const words = `req -x509 ${KEY} -days 2 ${NAME} -keyout - -out -`.split(' ')
  const pem = execFileSync('openssl', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const at = pem.indexOf('-----BEGIN CERTIFICATE')
  return { key: pem.slice(0, at), cert: pem.slice(at) }
}

interface Intake {
  /** New Relic's agent speaks TLS only. */
  readonly usesTls?: boolean
  answer(path: string, origin: string): unknown
  /** The number of spans in a request; a transaction counts as one. */
  countSpans(path: string, body: Buffer): number
}

const linesOf = (body: Buffer): Record<string, unknown>[] =>
  body
    .toString()
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))

const methodOf = (path: string) => new URL(path, 'https://intake').searchParams.get('method') ?? ''

const intakes: Readonly<Record<string, Intake>> = {
  elastic: {
    answer: path => (path === '/' ? { version: '8.19.0' } : {}),
    countSpans: (path, body) =>
      path.startsWith('/intake/')
        ? linesOf(body).filter(line => 'transaction' in line || 'span' in line).length
        : 0,
  },
  datadog: {
    answer: path =>
      path === '/info' ? { endpoints: ['/v0.4/traces'] } : { rate_by_service: { 'service:,env:': 1 } },
    countSpans: (path, body) => (path.endsWith('/traces') ? (unpack(body) as unknown[][]).flat().length : 0),
  },
  newrelic: {
    usesTls: true,
    answer(path, origin) {
      const results: Readonly<Record<string, unknown>> = {
        preconnect: { redirect_host: origin },
        connect: { agent_run_id: '1', data_report_period: 60 },
        get_agent_commands: [],
      }
      return { return_value: results[methodOf(path)] ?? null }
    },
    // Of every request there is a transaction; of ten a minute there are spans, too.
    countSpans: (path, body) =>
      methodOf(path) === 'analytic_event_data' ? JSON.parse(body.toString())[2].length : 0,
  },
  sentry: {
    answer: () => ({}),
    countSpans: (_path, body) =>
      linesOf(body).reduce(
        (sum, { type, item_count: count }) => sum + (type === 'span' ? Number(count) : 0),
        0,
      ),
  },
  otlp: {
    answer: () => undefined,
    countSpans: (path, body) =>
      path.endsWith('/traces') ? countSpans(body).reduce((sum, { items }) => sum + items, 0) : 0,
  },
}

const unzip: Readonly<Record<string, (body: Buffer) => Buffer>> = { gzip: gunzipSync, deflate: inflateSync }

const intake = intakes[process.argv[2] as string] as Intake
const counts: IntakeCounts = { spans: 0, failed: 0 }
let isSilent = false

const listener: RequestListener = async (request, response) => {
  const { url: path = '', headers } = request
  try {
    const body = await buffer(request)
    if (isSilent) return
    const unzipped = unzip[headers['content-encoding'] ?? '']?.(body) ?? body
    counts.spans += intake.countSpans(path, unzipped)
  } catch {
    counts.failed++
  }
  response.statusCode = path.startsWith('/intake/') ? 202 : 200
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(intake.answer(path, `localhost:${port}`)))
}

const certificate = intake.usesTls ? makeCertificate() : undefined
const server = certificate ? createTlsServer(certificate, listener) : createPlainServer(listener)

await once(server.listen(0, 'localhost'), 'listening')
const { port } = server.address() as AddressInfo
const url = `${certificate ? 'https' : 'http'}://localhost:${port}`
process.send?.({ url, certificate: certificate?.cert })

/** Connections end whenever the state changes. */
async function become(state: IntakeState): Promise<void> {
  isSilent = state === 'silent'
  server.closeAllConnections()
  if (state === 'away') server.close()
  else if (!server.listening) await once(server.listen(port, 'localhost'), 'listening')
}

process.on('message', async (asked: IntakeState | 'count') => {
  if (asked !== 'count') await become(asked)
  process.send?.(counts)
})
process.on('disconnect', () => process.exit())
