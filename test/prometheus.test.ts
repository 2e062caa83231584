import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { DURATION_BOUNDARIES } from '../apm-agent/histogram.ts'
import { lastStep } from '../app/steps.ts'
import { startStack } from '../stack/stack.ts'
import { until } from './faults/fault.ts'
import { logPlaces } from './places.ts'

const isMissing = spawnSync('prometheus', ['--version']).error !== undefined
const REQUESTS = 600
const CLIENTS = 2

test('Prometheus reads a p99 that agrees with the clients within one bucket', {
  skip: isMissing && 'there is no prometheus here; Debian has it: apt-get install prometheus',
}, async t => {
  const directory = mkdtempSync(join(tmpdir(), 'prometheus-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const stack = await startStack({
    // Clients and server see the same latency only if tasks do not run on the main thread.
    composition: { ...lastStep.composition, compute: 'threads' },
    app: { metricIntervalMs: 200, ...logPlaces(directory) },
  })
  t.after(() => stack.stop())
  const query = await startPrometheus(t, directory, stack.address('apm-agent'))

  const latencies = (
    await Promise.all(Array.from({ length: CLIENTS }, () => ask(stack.address('app'))))
  ).flat()
  const route = '{http_route="/cpu"}'
  await until(async () => (await query(`http_server_request_duration_seconds_count${route}`)) === REQUESTS)

  const buckets = `sum by (le) (http_server_request_duration_seconds_bucket${route})`
  const [seen, measured] = [
    await query(`histogram_quantile(0.99, ${buckets})`),
    latencies.toSorted((a, b) => a - b)[Math.ceil(0.99 * REQUESTS) - 1] as number,
  ]
  const distance = Math.abs(bucketOf(seen) - bucketOf(measured))
  assert.ok(distance <= 1, `Prometheus says ${seen} s, the clients ${measured} s`)
  assert.ok((await query('sum(nodejs_eventloop_utilization_ratio)')) > 0)
  assert.ok((await query('sum(app_thread_cpu_time_seconds_total{thread_name=~"compute-.*"})')) > 0)
})

/** Makes requests one after the other. @returns their latencies in seconds */
async function ask(url: string): Promise<number[]> {
  const latencies: number[] = []
  for (let index = 0; index < REQUESTS / CLIENTS; index++) {
    const askedAt = performance.now()
    await (await fetch(`${url}/cpu?size=${10 + (index % 7)}&seed=${index}`)).arrayBuffer()
    latencies.push((performance.now() - askedAt) / 1000)
  }
  return latencies
}

const bucketOf = (seconds: number): number => {
  const found = DURATION_BOUNDARIES.findIndex(bound => seconds <= bound)
  return found < 0 ? DURATION_BOUNDARIES.length : found
}

/** Starts a Prometheus that scrapes the agent. @returns a function that queries one number, NaN while there is none */
async function startPrometheus(t: TestContext, directory: string, agent: string) {
  const config = join(directory, 'prometheus.yml')
  const targets = [new URL(agent).host]
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: '200ms', scrape_timeout: '200ms' },
      scrape_configs: [{ job_name: 'apm-agent', static_configs: [{ targets }] }],
    }),
  )
  const child = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      '--web.listen-address=127.0.0.1:0',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', line => {
      const [, address] = /msg="Listening on" address=(\S+)/.exec(line) ?? []
      if (address) resolve(`http://${address}`)
    })
    void ended.then(([code]) => reject(new Error(`prometheus ended with ${code}`)))
  })
  return async (expression: string): Promise<number> => {
    const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`)
    const { data } = (await answer.json()) as { data?: { result: { value: [number, string] }[] } }
    return Number(data?.result[0]?.value[1] ?? Number.NaN)
  }
}
