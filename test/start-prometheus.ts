import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parse } from 'yaml'

const CONFIG = join(import.meta.dirname, '../deploy/observe/prometheus.yaml')

/** The reason to skip tests that need Prometheus; false if there is one. */
export const missingPrometheus =
  spawnSync('prometheus', ['--version']).error !== undefined &&
  'there is no prometheus here; Debian has it: apt-get install prometheus'

interface PrometheusConfig {
  readonly scrape_configs: readonly {
    readonly job_name: string
    readonly static_configs: readonly { readonly targets: readonly string[] }[]
  }[]
}

/** A sample of a query's result: its labels, and its value. */
interface Sample {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [atSeconds: number, value: string]
}

/**
 * Starts a Prometheus with the configuration of the containers, which scrapes these processes five times a second.
 * @param directory for its files
 * @param addressOf returns the URL of a scraped process by the name of its job
 */
export async function startPrometheus(directory: string, addressOf: (job: string) => string) {
  const { scrape_configs }: PrometheusConfig = parse(readFileSync(CONFIG, 'utf8'))
  const config = join(directory, 'prometheus.yml')
  const here = scrape_configs.map(({ job_name }) => ({
    job_name,
    static_configs: [{ targets: [new URL(addressOf(job_name)).host] }],
  }))
  const often = { scrape_interval: '200ms', scrape_timeout: '200ms' }
  writeFileSync(config, JSON.stringify({ global: often, scrape_configs: here }))
  const flags = [`--config.file=${config}`, `--storage.tsdb.path=${join(directory, 'data')}`]
  const child = spawn('prometheus', [...flags, '--web.listen-address=127.0.0.1:0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', line => {
      const [, address] = /msg="Listening on" address=(\S+)/.exec(line) ?? []
      if (address) resolve(`http://${address}`)
    })
    void ended.then(([code]) => reject(new Error(`prometheus ended with ${code}`)))
  })
  return {
    /** @throws Error when the query is not valid */
    async query(expression: string): Promise<readonly Sample[]> {
      const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`)
      const { data, error } = (await answer.json()) as { data?: { result: Sample[] }; error?: string }
      if (!data) throw new Error(`${expression}: ${error}`)
      return data.result
    },
    async stop(): Promise<void> {
      child.kill('SIGKILL')
      await ended
    },
  }
}
