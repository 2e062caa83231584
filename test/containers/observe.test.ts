import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { dashboardFiles, readDashboard } from '../dashboards.ts'
import { missingPrometheus } from '../start-prometheus.ts'

const ROOT = join(import.meta.dirname, '../..')
const OBSERVE = join(ROOT, 'deploy/observe')
const readYaml = (path: string) => parse(readFileSync(path, 'utf8'), { merge: true })
const { services } = readYaml(join(ROOT, 'docker-compose.yml'))
const { datasources } = readYaml(join(OBSERVE, 'grafana/provisioning/datasources/datasources.yaml'))

describe('the profile observe', () => {
  for (const file of dashboardFiles)
    test(`provides the dashboard ${file}, whose panels have data sources`, () => {
      const dashboard = readDashboard(file)
      assert.equal(`${dashboard.uid}.json`, file)
      for (const { id, datasource } of dashboard.panels)
        assert.ok(
          datasources.some(
            ({ uid, type }: Record<string, string>) => uid === datasource.uid && type === datasource.type,
          ),
          `panel ${id}`,
        )
    })

  test('names only services that there are, at their ports', () => {
    const { scrape_configs } = readYaml(join(OBSERVE, 'prometheus.yaml'))
    const targets: string[] = scrape_configs.flatMap(
      ({ static_configs }: { static_configs: { targets: string[] }[] }) =>
        static_configs.flatMap(({ targets }) => targets),
    )
    const urls = [
      ...targets.map(target => `http://${target}`),
      ...datasources.map(({ url }: { url: string }) => url),
    ]
    for (const url of urls) assert.ok(services[new URL(url).hostname], url)
    assert.deepEqual(targets, ['apm-agent:4318', 'logger-transport:9465'])
  })

  test('mounts files that there are', () => {
    const mounted = Object.values(services as Record<string, { volumes?: string[] }>)
      .flatMap(({ volumes = [] }) => volumes)
      .filter(volume => volume.startsWith('./'))
    assert.equal(mounted.length, 3)
    for (const volume of mounted) assert.ok(existsSync(join(ROOT, volume.split(':')[0] as string)), volume)
  })

  test('has a configuration that Prometheus accepts', { skip: missingPrometheus }, () => {
    const { status, stdout, stderr } = spawnSync('promtool', [
      'check',
      'config',
      join(OBSERVE, 'prometheus.yaml'),
    ])
    assert.equal(status, 0, `${stdout}${stderr}`)
  })
})
