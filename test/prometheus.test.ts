import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { parse } from 'yaml'
import { lastStep } from '../app/steps.ts'
import { hasEnded } from '../lib/os/process.ts'
import { until } from './faults/fault.ts'
import { start } from './start-stack.ts'

const OBSERVE = join(import.meta.dirname, '../deploy/observe')
const missing =
  spawnSync('prometheus', ['--version']).error !== undefined &&
  'there is no prometheus here; Debian has it: apt-get install prometheus'

interface Config {
  readonly scrape_configs: readonly { readonly job_name: string }[]
}

interface Panel {
  /** A query of Prometheus has an expression. */
  readonly targets: readonly { readonly expr?: string }[]
}

test('a Prometheus that scrapes apm-agent and logger-transport has data for every query of every dashboard', {
  skip: missing,
}, async t => {
  const app = { metricIntervalMs: 200 }
  const { stack, url } = await start(t, { composition: { ...lastStep.composition, compute: 'threads' }, app })
  const query = await startPrometheus(t, job => stack.address(job as 'apm-agent'))
  const queries = globSync(`${OBSERVE}/grafana/dashboards/*.json`)
    .flatMap(file => (JSON.parse(readFileSync(file, 'utf8')) as { panels: Panel[] }).panels)
    .flatMap(({ targets }) =>
      targets.flatMap(({ expr }) => expr?.replaceAll('$__rate_interval', '10s') ?? []),
    )
  assert.ok(queries.length > 20)
  const waiting = new Set(queries)
  await until(async () => {
    // Some metrics, such as the pauses of garbage collection, begin with work.
    await (await fetch(`${url}/demo`)).arrayBuffer()
    for (const each of waiting) if (await query(each)) waiting.delete(each)
    return waiting.size === 0
  }).catch((error: Error) => assert.fail(`${error.message}: no data for ${[...waiting].join('\n')}`))
})

/**
 * Starts a Prometheus that scrapes the processes of its configuration in the containers five times a second.
 * @param addressOf returns the URL of a process by the name of its job
 * @returns whether there is a finite value for an expression
 */
async function startPrometheus(t: TestContext, addressOf: (job: string) => string) {
  const directory = mkdtempSync(join(tmpdir(), 'prometheus-'))
  const { scrape_configs }: Config = parse(readFileSync(join(OBSERVE, 'prometheus.yaml'), 'utf8'))
  const here = scrape_configs.map(({ job_name }) => ({
    job_name,
    static_configs: [{ targets: [new URL(addressOf(job_name)).host] }],
  }))
  const config = join(directory, 'prometheus.yml')
  const global = { scrape_interval: '200ms', scrape_timeout: '200ms' }
  writeFileSync(config, JSON.stringify({ global, scrape_configs: here }))
  const flags = [`--config.file=${config}`, `--storage.tsdb.path=${join(directory, 'data')}`]
  const child = spawn('prometheus', [...flags, '--web.listen-address=127.0.0.1:0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  t.after(async () => {
    child.kill('SIGKILL')
    if (!hasEnded(child)) await once(child, 'exit')
    rmSync(directory, { recursive: true })
  })
  let address: string | undefined
  for await (const line of createInterface({ input: child.stderr })) {
    address = /msg="Listening on" address=(\S+)/.exec(line)?.[1]
    if (address) break
  }
  child.stderr.resume()
  return async (expression: string): Promise<boolean> => {
    const answer = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(expression)}`)
    const { data, error } = (await answer.json()) as {
      data?: { result: { value: [atSeconds: number, value: string] }[] }
      error?: string
    }
    assert.ok(data, `${expression}: ${error}`)
    return data.result.some(({ value: [, value] }) => Number.isFinite(Number(value)))
  }
}
