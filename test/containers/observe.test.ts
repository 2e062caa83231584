import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'

const ROOT = join(import.meta.dirname, '../..')
const OBSERVE = join(ROOT, 'deploy/observe')
const DASHBOARDS = join(OBSERVE, 'grafana/dashboards')
const readYaml = (path: string) => parse(readFileSync(path, 'utf8'), { merge: true })
const { services } = readYaml(join(ROOT, 'docker-compose.yml'))
const { datasources } = readYaml(join(OBSERVE, 'grafana/provisioning/datasources/datasources.yaml'))

interface ScrapeConfig {
  readonly static_configs: readonly [{ readonly targets: readonly string[] }]
}

// `test/prometheus.test.ts` runs Prometheus with its configuration, and every query of the dashboards.
describe('the profile observe', () => {
  test('provides dashboards whose panels have data sources', () => {
    const known = datasources.map(({ uid, type }: Record<string, string>) => `${uid} ${type}`)
    for (const file of readdirSync(DASHBOARDS)) {
      const { uid, panels } = JSON.parse(readFileSync(join(DASHBOARDS, file), 'utf8'))
      assert.equal(`${uid}.json`, file)
      for (const { id, datasource } of panels)
        assert.ok(known.includes(`${datasource.uid} ${datasource.type}`), `panel ${id} of ${file}`)
    }
  })

  test('names only services that there are, and mounts files that there are', () => {
    const { scrape_configs } = readYaml(join(OBSERVE, 'prometheus.yaml'))
    const targets = scrape_configs.map((config: ScrapeConfig) => config.static_configs[0].targets)
    assert.deepEqual(targets.flat(), ['apm-agent:4318', 'logger-transport:9465'])
    for (const { url } of datasources) assert.ok(services[new URL(url).hostname], url)
    const volumes = Object.values(services as Record<string, { volumes?: string[] }>)
    const mounted = volumes.flatMap(({ volumes = [] }) => volumes).filter(volume => volume.startsWith('./'))
    assert.equal(mounted.length, 3)
    for (const volume of mounted) assert.ok(existsSync(join(ROOT, volume.split(':')[0] as string)), volume)
  })
})
