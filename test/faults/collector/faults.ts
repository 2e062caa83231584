import assert from 'node:assert/strict'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { firstStep, lastStep } from '../../../app/steps.ts'
import { toFlags } from '../../../lib/cli/command-line.ts'
import { findFreePort } from '../../../lib/http/listen.ts'
import type { Counts } from '../../../lib/processes/protocol.ts'
import { startProcess } from '../../../lib/processes/start-process.ts'
import { CLOSED_FILE, segmentName, WRITER_FILE } from '../../../logger-transport/protocol.ts'
import { logPlaces, startStack } from '../../stack-parts.ts'
import { type Fault, total } from '../fault.ts'
import { startRequests, untilDelivered } from '../loaded-stack.ts'
import { findMissing, type Received, startCollector } from './start-collector.ts'

const TRANSPORT = join(import.meta.dirname, '../../../logger-transport/main.ts')
const DURATION = 'http.server.request.duration'

/** A real collector of OpenTelemetry as the one destination of all three signals. */
export const collectorFaults: readonly Fault[] = [firstStep, lastStep].map(
  ({ name, composition, number }) => ({
    name: `OpenTelemetry's collector receives everything of ${name}`,
    seconds: 10,
    needs: findMissing,
    async run(directory, seconds) {
      const collector = await startCollector(directory)
      const places = logPlaces(directory)
      // As in containers, apm-agent is the only process that knows the collector.
      const port = await findFreePort()
      const stack = await startStack({
        composition,
        app: places,
        apmAgent: { collectorUrl: collector.url, port },
        loggerTransport: { targets: ['otlp'], otlpUrl: `http://127.0.0.1:${port}` },
      })
      const requests = startRequests(`${stack.address('app')}/demo`)
      await delay(seconds * 1000)
      const { good, failures } = await requests.stop()
      const isTransported = stack.processes.some(process => process.name === 'logger-transport')
      // The stack stops apm-agent before logger-transport, which would keep the rest.
      if (isTransported) await untilDelivered(stack)
      const counts = await stack.stop()
      if (!isTransported) await sendFile(places.logFile, places.logDir, collector.url)
      const received = await collector.stop()
      assert.deepEqual(failures, {}, 'requests failed')
      const says = compare(received, counts, good)
      // Later steps send records, of which apm-agent makes the metrics.
      if (number === 0) assert.equal(countPoints(received), counts.metricPoints?.emitted, 'metric points')
      return says
    },
  }),
)

const countPoints = ({ metrics }: Received): number => total(metrics.map(({ counts }) => counts.length))

/** Sends the lines of a log file to a collector, as `docs/logging.md` says: the file takes the place of a segment. */
async function sendFile(logFile: string, logDir: string, otlpUrl: string): Promise<void> {
  const writer = join(logDir, 'lines')
  mkdirSync(writer, { recursive: true, mode: 0o700 })
  renameSync(logFile, join(writer, segmentName(1)))
  writeFileSync(join(writer, CLOSED_FILE), '')
  writeFileSync(join(writer, WRITER_FILE), '{"resource":{}}')
  const flags = toFlags({ port: 0, targets: 'otlp', logDir, otlpUrl })
  const transport = await startProcess({ name: 'logger-transport', file: TRANSPORT, flags, echo: false })
  await transport.stop()
}

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
