import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { dashboardFiles, readDashboard } from '../dashboards.ts'
import { missingPrometheus } from '../start-prometheus.ts'

const ROOT = join(import.meta.dirname, '../..')
const OBSERVE = join(ROOT, 'deploy/observe')
const readYaml = (path: string) => parse(readFileSync(path, 'utf8'), { merge: true })
const { services } = readYaml(join(ROOT, 'docker-compose.yml'))
const { datasources } = readYaml(join(OBSERVE, 'grafana/provisioning/datasources/datasources.yaml'))

const exactly = (properties: Readonly<Record<string, object>>, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter(name => !optional.includes(name)),
  additionalProperties: false,
})
const text = { type: 'string', minLength: 1 }
const listOf = (items: object) => ({ type: 'array', items, minItems: 1 })

/** The part of Grafana's dashboard model, schema version 41, that the dashboards here use. */
const dashboardSchema = exactly({
  uid: { type: 'string', pattern: '^[a-z-]{1,40}$' },
  title: text,
  tags: listOf(text),
  schemaVersion: { const: 41 },
  refresh: { enum: ['5s'] },
  time: exactly({ from: text, to: { const: 'now' } }),
  links: listOf({ type: 'object', properties: { type: { enum: ['dashboards', 'link'] }, title: text } }),
  panels: listOf(
    exactly({
      id: { type: 'integer', minimum: 1 },
      type: { enum: ['timeseries', 'table'] },
      title: text,
      gridPos: exactly({
        x: { enum: [0, 12] },
        y: { type: 'integer', minimum: 0 },
        w: { enum: [12, 24] },
        h: { type: 'integer', minimum: 1 },
      }),
      datasource: exactly({ type: text, uid: text }),
      fieldConfig: exactly({
        defaults: exactly(
          { unit: { enum: ['s', 'percentunit', 'reqps', 'bytes', 'short'] }, min: { const: 0 } },
          ['unit', 'min'],
        ),
        overrides: { type: 'array', maxItems: 0 },
      }),
      targets: listOf({
        oneOf: [
          exactly({ refId: { pattern: '^[A-Z]$' }, expr: text, legendFormat: text }),
          exactly({
            refId: { pattern: '^[A-Z]$' },
            queryType: { const: 'search' },
            service: text,
            limit: {},
          }),
        ],
      }),
    }),
  ),
})
const isDashboard = new Ajv({ strict: false }).compile(dashboardSchema)

describe('the profile observe', () => {
  for (const file of dashboardFiles)
    test(`provides the dashboard ${file}, whose panels have data sources`, () => {
      const dashboard = readDashboard(file)
      assert.ok(isDashboard(dashboard), JSON.stringify(isDashboard.errors))
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
