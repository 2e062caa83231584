import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { lastStep } from '../../../app/steps.ts'
import { findFreePort } from '../../../lib/http/listen.ts'
import type { Counts } from '../../../lib/processes/protocol.ts'
import { logPlaces, startStack } from '../../stack-parts.ts'
import { type Fault, total } from '../fault.ts'
import { startRequests, untilDelivered } from '../loaded-stack.ts'
import { findMissing, type Received, startCollector } from './start-collector.ts'

const DURATION = 'http.server.request.duration'

/** A real collector of OpenTelemetry as the one destination of all three signals. */
export const collectorFaults: readonly Fault[] = [
  {
    name: "OpenTelemetry's collector receives everything",
    seconds: 10,
    needs: findMissing,
    async run(directory, seconds) {
      const collector = await startCollector(directory)
      // As in containers, apm-agent is the only process that knows the collector.
      const port = await findFreePort()
      const stack = await startStack({
        composition: lastStep.composition,
        app: logPlaces(directory),
        apmAgent: { collectorUrl: collector.url, port },
        loggerTransport: { targets: ['otlp'], otlpUrl: `http://127.0.0.1:${port}` },
      })
      const requests = startRequests(`${stack.address('app')}/demo`)
      await delay(seconds * 1000)
      const { good, failures } = await requests.stop()
      // The stack stops apm-agent before logger-transport, which would keep the rest.
      await untilDelivered(stack)
      const counts = await stack.stop()
      const received = await collector.stop()
      assert.deepEqual(failures, {}, 'requests failed')
      return compare(received, counts, good)
    },
  },
]

/** Compares what the collector received with the counts of the stack and with the answers that clients got. */
function compare({ spans, metrics, logs }: Received, counts: Counts, answers: number): string {
  const resources = new Set([...spans, ...metrics, ...logs].map(({ resource }) => resource))
  assert.equal(resources.size, 1, `the resource is not the same: ${[...resources].join(' | ')}`)
  assert.match([...resources].join(), /service\.name=app/)

  assert.deepEqual([spans.length, 0], [counts.spans?.emitted, counts.spans?.dropped], 'spans')
  const { emitted, dropped, rejected } = counts.logLines ?? {}
  assert.deepEqual([logs.length, 0, 0], [emitted, dropped, rejected], 'log lines')
  assert.equal(new Set(logs.map(({ line }) => line)).size, logs.length, 'a line came twice')
  const servers = new Set(spans.filter(({ isServer }) => isServer).map(({ context }) => context))
  // The clients of the last requests may have left before they had the whole answer.
  assert.ok(servers.size >= answers, `${servers.size} SERVER spans of ${answers} answers`)
  const durations = metrics.filter(({ metric }) => metric === DURATION).at(-1)
  const measured = total(durations?.counts ?? [])
  assert.equal(measured, servers.size, 'the metric of the durations has another number of requests')

  const ofRequests = logs.filter(({ requestId }) => requestId !== undefined)
  assert.ok(ofRequests.length >= answers, `${ofRequests.length} log records of ${answers} requests`)
  const strays = ofRequests.filter(({ context }) => !servers.has(context))
  assert.deepEqual(strays, [], 'log records whose request has no span')
  return `${spans.length} spans, ${metrics.length} metrics and ${logs.length} log records of ${answers} requests, one resource`
}
