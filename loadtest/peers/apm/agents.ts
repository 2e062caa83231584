import { createRequire } from 'node:module'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Apm, CreateApm } from '../../../app/concerns/apm/contract.ts'
import { createApm as createNone } from '../../../app/concerns/apm/none.ts'
import { type IntakeAddress, startIntake } from './start-intake.ts'

interface Agent {
  /** Names the route of the present request, as the instrumentations of frameworks would. */
  nameRoute(path: string): void
  flush(): Promise<unknown>
}

/** Packages of the agents are CommonJS, and wrap what other modules load by `require`. */
const require = createRequire(import.meta.url)

/**
 * A process of its own answers as the vendor's intake does, and counts the spans that it gets. The agent records requests and
 * upstream calls by itself, with its default settings.
 */
const createAgent =
  (vendor: string, start: (intake: IntakeAddress) => Agent): CreateApm =>
  async options => {
    const intake = await startIntake(vendor)
    const agent = start(intake.address)
    require('node:http')
    require('undici')
    const none: Apm = await createNone(options)
    let spans = { emitted: 0, delivered: 0, dropped: 0 }
    return {
      ...none,
      enterRoute: path => agent.nameRoute(path),
      counts: () => ({ ...none.counts(), spans }),
      async close() {
        await agent.flush()
        const counts = await intake.count()
        if (counts.failed > 0)
          throw new Error(`the intake could not read ${counts.failed} requests of the agent`)
        // An agent does not tell how many spans it has left out.
        spans = { ...spans, emitted: counts.spans, delivered: counts.spans }
        intake.end()
      },
    }
  }

export const elastic = createAgent('elastic', ({ url }) => {
  const agent = require('elastic-apm-node').start({ serviceName: 'app', serverUrl: url, logLevel: 'error' })
  return { nameRoute: path => agent.setTransactionName(`GET ${path}`), flush: () => agent.flush() }
})

/** It has no function that delivers what it has, so its exporter is asked. */
export const datadog = createAgent('datadog', ({ url }) => {
  const tracer = require('dd-trace').init({ service: 'app', url, startupLogs: false })
  return {
    nameRoute: path => tracer.scope().active()?.setTag('resource.name', `GET ${path}`),
    flush: () => new Promise<void>(resolve => tracer._tracer._exporter.flush(resolve)),
  }
})

const CLOUDS = ['AWS', 'AZURE', 'AZUREFUNCTION', 'GCP', 'PCF', 'DOCKER', 'KUBERNETES']
/** How long the last records may take, in milliseconds. */
const FLUSH_LIMIT_MS = 3000

/** By its default it keeps 10,000 transactions a minute, and the spans of ten. */
export const newrelic = createAgent('newrelic', ({ url, certificate = '' }) => {
  setDefaultCACertificates([...getCACertificates(), certificate])
  const { hostname, port } = new URL(url)
  Object.assign(process.env, {
    NEW_RELIC_NO_CONFIG_FILE: 'true',
    NEW_RELIC_APP_NAME: 'app',
    NEW_RELIC_LICENSE_KEY: 'a'.repeat(40),
    NEW_RELIC_HOST: hostname,
    NEW_RELIC_PORT: port,
    NEW_RELIC_LOG_ENABLED: 'false',
    // It would ask the network of each cloud whether it is there.
    ...Object.fromEntries(CLOUDS.map(cloud => [`NEW_RELIC_UTILIZATION_DETECT_${cloud}`, 'false'])),
  })
  const agent = require('newrelic')
  return {
    nameRoute: path => agent.setTransactionName(path),
    flush: () =>
      new Promise(resolve => agent.shutdown({ collectPendingData: true, timeout: FLUSH_LIMIT_MS }, resolve)),
  }
})

/** It traces every request. */
export const sentry = createAgent('sentry', ({ url }) => {
  const { init, getActiveSpan, getRootSpan, updateSpanName, flush } = require('@sentry/node')
  init({ dsn: url.replace('//', '//key@').concat('/1'), tracesSampleRate: 1 })
  return {
    nameRoute(path) {
      const span = getActiveSpan()
      if (span) updateSpanName(getRootSpan(span), `GET ${path}`)
    },
    flush: () => flush(FLUSH_LIMIT_MS),
  }
})
