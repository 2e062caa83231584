import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parseEnv } from 'node:util'
import { appOptions } from '../../app/config.ts'
import { variableName } from '../../lib/cli/command-line.ts'
import { parseDurationMs } from '../../lib/units.ts'
import { FINISH_LIMIT_MS } from '../../logger-transport/options.ts'
import { STOP_MARGIN_MS } from '../../stack/stack.ts'
import { versionOf } from '../../workers/remote/version.ts'
import { type Container, type Pod, processOptions, readDeployments } from './manifest.ts'

const ROOT = join(import.meta.dirname, '../..')
const DEPLOY = join(ROOT, 'deploy/kubernetes')
const CLUSTER = join(DEPLOY, 'overlays/cluster')
const workloads = readDeployments([
  join(DEPLOY, 'base/app.yaml'),
  join(DEPLOY, 'base/orders.yaml'),
  join(CLUSTER, 'worker.yaml'),
])
const podOf = (name: string) =>
  workloads.find(({ metadata }) => metadata.name === name)?.spec.template.spec as Pod
const containers = ['app', 'orders', 'worker']
  .map(podOf)
  .flatMap(({ initContainers = [], containers }) => [...initContainers, ...containers])

/** The command `nats` has these variables too. A value from a field or a secret is not known here. */
const ofNats = ['NATS_URL', 'NATS_USER', 'NATS_PASSWORD']

const variableOf = ({ env = [] }: Container, name: string) => env.find(each => each.name === name)?.value
const find = (name: string) => containers.find(each => each.name === name) as Container

describe('deploy/kubernetes', () => {
  test('runs each process of the stack', () =>
    assert.deepEqual(containers.map(({ name }) => name).sort(), Object.keys(processOptions).sort()))

  for (const container of containers)
    test(`sets only variables that ${container.name} understands, with values that it takes`, () => {
      const table = Object.entries(processOptions[container.name] ?? {})
      const byVariable = new Map(table.map(([key, option]) => [variableName(key), option]))
      for (const { name, value } of container.env ?? []) {
        if (ofNats.includes(name)) continue
        const option = byVariable.get(name)
        assert.ok(option, `${name} of ${container.name}`)
        if (value !== undefined) assert.notEqual(option.parse(value), undefined, `${name}=${value}`)
      }
    })

  for (const container of containers)
    test(`serves and probes ${container.name} on the port that it listens on`, () => {
      const ports = container.ports?.map(({ containerPort }) => String(containerPort))
      assert.deepEqual(ports, [variableOf(container, 'DMT_PORT')])
      const named = container.ports?.map(({ name }) => name)
      const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe]
      for (const probe of probes) if (probe) assert.ok(named?.includes(probe.httpGet.port))
      assert.ok(container.livenessProbe)
    })

  test('starts the sidecars before the app, and stops them after it', () => {
    const { initContainers = [] } = podOf('app')
    assert.deepEqual(
      initContainers.map(({ name, restartPolicy, startupProbe }) => [name, restartPolicy, !!startupProbe]),
      [
        ['logger-transport', 'Always', true],
        ['apm-agent', 'Always', true],
      ],
    )
  })

  test('gives the app enough time to be unready, to drain and to flush, and then its sidecars', () => {
    const { terminationGracePeriodSeconds = 0 } = podOf('app')
    const unreadyMs = parseDurationMs(variableOf(find('app'), 'DMT_UNREADY') ?? '') ?? 0
    const drainMs = parseDurationMs(appOptions.drainTimeoutMs.default) ?? 0
    const neededMs = unreadyMs + drainMs + STOP_MARGIN_MS + FINISH_LIMIT_MS
    assert.ok(terminationGracePeriodSeconds * 1000 >= neededMs, `${neededMs} ms are needed`)
  })

  test('scales workers by the consumer of these tasks', () => {
    const { version } = parseEnv(readFileSync(join(CLUSTER, 'tasks.env'), 'utf8'))
    const command = 'npm run --silent worker -- --print-version'
    assert.equal(version, versionOf(join(ROOT, 'workers/tasks.ts')), `write what \`${command}\` prints`)
  })

  test('lets app and apm-agent meet at one socket, in a directory of their own', () => {
    const sockets = ['app', 'apm-agent'].map(name => variableOf(find(name), 'DMT_APM_SOCKET'))
    assert.equal(sockets[0], sockets[1])
    assert.match(String(sockets[0]), /^run\/[^/]+\/[^/]+$/)
  })
})
