import { agentOptions } from '../apm-agent/options.ts'
import { appOptions } from '../app/config.ts'
import { choice, integer, url } from '../lib/cli/options.ts'
import { transportOptions } from '../logger-transport/options.ts'
import { ordersOptions } from '../orders/order.ts'
import { steadyScenarios } from './stack-options.ts'

const { ordersUrl, otlpUrl, ...ofApp } = appOptions
const { port: apmAgentPort, collectorUrl, exportIntervalMs } = agentOptions

/** The options of `npm start`: those of the app, and the addresses of the other processes. */
export const stackOptions = {
  ...ofApp,
  ordersPort: { ...ordersOptions.port, help: 'port of the upstream microservice' },
  ordersLatencyMs: {
    ...ordersOptions.latencyMs,
    help: 'time that the upstream microservice waits before an answer',
  },
  loggerTransportPort: { ...transportOptions.port, help: 'port of the metrics of logger-transport' },
  logTargets: transportOptions.targets,
  logOtlpUrl: url({
    help: 'target otlp: base URL of an OTLP/HTTP receiver of log lines; default: --collector-url',
  }),
  apmAgentPort: {
    ...apmAgentPort,
    help: 'port of apm-agent: the live page, /metrics, and the receiver of OTLP',
  },
  collectorUrl,
  exportIntervalMs,
  load: integer({ min: 1, max: 1000, help: 'keep this number of connections busy' }),
  scenario: choice({
    choices: steadyScenarios,
    default: 'demo',
    help: 'what --load asks for: /demo, /page, or a mix of four /demo to one /page',
  }),
} as const
