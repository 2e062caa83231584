import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { after, before, describe, test } from 'node:test'
import { DURATION_BOUNDARIES } from '../apm-agent/histogram.ts'
import { lastStep } from '../app/steps.ts'
import { readDashboards } from './dashboards.ts'
import { until } from './faults/fault.ts'
import { logPlaces, startStack } from './stack-parts.ts'
import { missingPrometheus, startPrometheus } from './start-prometheus.ts'

const REQUESTS = 300
const CLIENTS = 2

// Node.js does not count the tests of a skipped suite as skipped. It counts this one.
if (missingPrometheus) test('needs prometheus', { skip: missingPrometheus })

describe('a Prometheus that scrapes apm-agent and logger-transport', { skip: missingPrometheus }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'prometheus-'))
  let stack: Awaited<ReturnType<typeof startStack>>
  let prometheus: Awaited<ReturnType<typeof startPrometheus>>
  const number = async (expression: string) =>
    Number((await prometheus.query(expression))[0]?.value[1] ?? Number.NaN)

  before(async () => {
    stack = await startStack({
      // Clients and server see the same latency only if tasks do not run on the main thread.
      composition: { ...lastStep.composition, compute: 'threads' },
      app: { metricIntervalMs: 200, ...logPlaces(directory) },
    })
    prometheus = await startPrometheus(directory, job => stack.address(job as 'apm-agent'))
  })
  after(async () => {
    // If one of them did not start, the other is stopped all the same: it would keep this process alive.
    await prometheus?.stop()
    await stack?.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  test('reads a p99 that agrees with the clients within one bucket', async () => {
    const latencies = (
      await Promise.all(Array.from({ length: CLIENTS }, () => ask(stack.address('app'))))
    ).flat()
    const route = '{http_route="/cpu"}'
    await until(async () => (await number(`http_server_request_duration_seconds_count${route}`)) === REQUESTS)

    const buckets = `sum by (le) (http_server_request_duration_seconds_bucket${route})`
    const [seen, measured] = [
      await number(`histogram_quantile(0.99, ${buckets})`),
      latencies.toSorted((a, b) => a - b)[Math.ceil(0.99 * REQUESTS) - 1] as number,
    ]
    const distance = Math.abs(bucketOf(seen) - bucketOf(measured))
    assert.ok(distance <= 1, `Prometheus says ${seen} s, the clients ${measured} s`)
  })

  test('has data for every query of every dashboard', async () => {
    const queries = readDashboards()
      .flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr ?? [])))
      .map(expr => expr.replaceAll('$__rate_interval', '10s'))
    assert.ok(queries.length > 20)
    const missing = new Set(queries)
    await until(async () => {
      // Some metrics, such as the pauses of garbage collection, begin with work.
      await (await fetch(`${stack.address('app')}/demo`)).arrayBuffer()
      for (const query of missing) if (hasData(await prometheus.query(query))) missing.delete(query)
      return missing.size === 0
    }).catch((error: Error) => assert.fail(`${error.message}: no data for ${[...missing].join('\n')}`))
  })
})

const hasData = (samples: Awaited<ReturnType<Awaited<ReturnType<typeof startPrometheus>>['query']>>) =>
  samples.some(({ value: [, value] }) => Number.isFinite(Number(value)))

/** Makes requests one after the other. @returns their latencies in seconds */
async function ask(url: string): Promise<number[]> {
  const latencies: number[] = []
  for (let index = 0; index < REQUESTS / CLIENTS; index++) {
    const askedAt = performance.now()
    await (await fetch(`${url}/cpu?size=${8 + (index % 5)}&seed=${index}`)).arrayBuffer()
    latencies.push((performance.now() - askedAt) / 1000)
  }
  return latencies
}

const bucketOf = (seconds: number): number => {
  const found = DURATION_BOUNDARIES.findIndex(bound => seconds <= bound)
  return found < 0 ? DURATION_BOUNDARIES.length : found
}
