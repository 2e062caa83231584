import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parseEnv } from 'node:util'
import { parse } from 'yaml'
import { agentOptions } from '../../apm-agent/options.ts'
import { appOptions } from '../../app/config.ts'
import { compositionOptions } from '../../app/server/options.ts'
import { variableName } from '../../lib/cli/command-line.ts'
import type { OptionTable } from '../../lib/cli/options.ts'
import { parseDurationMs } from '../../lib/units.ts'
import { steadyOptions } from '../../loadtest/generator/steady-options.ts'
import { transportOptions } from '../../logger-transport/options.ts'
import { ordersOptions } from '../../orders/order.ts'
import manifest from '../../package.json' with { type: 'json' }
import { STOP_MARGIN_MS } from '../../stack/stack.ts'
import { remoteWorkerOptions } from '../../workers/remote/options.ts'
import { processOptions } from '../kubernetes/manifest.ts'

interface Service {
  /** Absent for a program of others. */
  readonly build?: { readonly target: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly mem_limit: string
  readonly cpus: number
  readonly [key: string]: unknown
}

/** These variables mean the same to every program that has telemetry, so they are passed on under their names. */
const OF_OPEN_TELEMETRY = [
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
]

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const source = read('docker-compose.yml')
const { services } = parse(source, { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>
}
const variables = parseEnv(read('.env'))

/** The options of the process in each container. */
const options: Readonly<Record<string, OptionTable>> = {
  ...processOptions,
  'logger-transport': { ...transportOptions, ...compositionOptions },
  'apm-agent': { ...agentOptions, ...compositionOptions },
  load: steadyOptions,
}
/** Services that always run: the engine restarts them, and other services wait until they are healthy. */
const servers = ['orders', 'logger-transport', 'apm-agent', 'app'] as const
/** Services of the profile `cluster`, which are run as these are. */
const ofCluster = ['nats', 'worker'] as const

describe('docker-compose.yml', () => {
  const { cores, ...hardened } = services
  for (const [name, service] of Object.entries(hardened))
    test(`hardens ${name}, and limits its resources`, () => {
      const { read_only, cap_drop, security_opt, mem_limit, cpus, pids_limit } = service
      assert.equal(read_only, true)
      assert.deepEqual(cap_drop, ['ALL'])
      assert.deepEqual(security_opt, ['no-new-privileges'])
      for (const key of ['user', 'privileged', 'cap_add', 'network_mode', 'pid'])
        assert.ok(!(key in service), `${key} gives something back`)
      assert.match(mem_limit, /^\d+[mg]$/)
      assert.ok(cpus > 0 && Number(pids_limit) > 0)
      for (const port of service.ports ?? []) assert.match(port, /^127\.0\.0\.1:/)
    })

  test('gives the right to make control groups to one service, which starts when it is asked for', () => {
    const { profiles, privileged, user, mem_limit, pids_limit } = cores as Service
    assert.deepEqual({ profiles, privileged, user }, { profiles: ['cores'], privileged: true, user: 'root' })
    assert.ok(mem_limit && Number(pids_limit) > 0)
  })

  for (const name of [...servers, ...ofCluster])
    test(`restarts ${name}, checks its health, and gives it enough time to stop`, () => {
      const { restart, healthcheck, stop_grace_period } = services[name] as Service
      assert.equal(restart, 'unless-stopped')
      assert.ok(healthcheck)
      const graceMs = parseDurationMs(String(stop_grace_period)) as number
      const drainMs = parseDurationMs(appOptions.drainTimeoutMs.default) as number
      assert.ok(graceMs > drainMs + STOP_MARGIN_MS)
    })

  test('sets only variables that the containers understand', () => {
    for (const [name, { build, environment = {} }] of Object.entries(services)) {
      if (!build) continue
      const known = [...Object.keys(options[name] ?? {}).map(variableName), ...OF_OPEN_TELEMETRY]
      for (const variable of Object.keys(environment))
        assert.ok(known.includes(variable), `${variable} of ${name}`)
    }
  })

  test('reads no variable that other programs may have', () => {
    const named = source.matchAll(/\$\{?(\w+)/g)
    for (const [, variable = ''] of named)
      assert.ok(variable.startsWith('DMT_') || OF_OPEN_TELEMETRY.includes(variable), variable)
  })

  test('passes the composition on to the app and its sidecars, with every concern', () => {
    const needed = Object.keys(compositionOptions).map(variableName)
    for (const name of ['app', 'logger-transport', 'apm-agent'])
      assert.deepEqual(
        needed.filter(variable => !(variable in (services[name]?.environment ?? {}))),
        [],
      )
  })
})

test('docs/containers.md states how much the services take', () => {
  const stated = read('docs/containers.md').replace(/\s+/g, ' ')
  const gib = ({ mem_limit }: Service) =>
    Number.parseInt(mem_limit, 10) / (mem_limit.endsWith('g') ? 1 : 1024)
  const parts = {
    'stack takes': servers,
    'clients take': ['load'],
    'load test takes': ['loadtest'],
    'cluster with one worker takes': ofCluster,
  }
  for (const [what, names] of Object.entries(parts)) {
    const all = names.map(name => services[name] as Service)
    const memory = all.reduce((sum, service) => sum + gib(service), 0)
    const cpus = all.reduce((sum, service) => sum + service.cpus, 0)
    const needed = `${what} at most ${memory} GiB of memory and ${cpus} CPU${cpus === 1 ? '' : 's'}`
    assert.ok(stated.includes(needed), needed)
  }
})

describe('.env', () => {
  test('has the ports that are the defaults of the options', () => {
    const { DMT_NODE_TAG, ...ports } = variables
    assert.deepEqual(ports, {
      DMT_APP_PORT: appOptions.port.default,
      DMT_ORDERS_PORT: ordersOptions.port.default,
      DMT_APM_AGENT_PORT: agentOptions.port.default,
      DMT_LOGGER_TRANSPORT_PORT: transportOptions.port.default,
      DMT_WORKER_PORT: remoteWorkerOptions.port.default,
    })
  })

  test('has the base image of the Node.js that npm pins', () => {
    const [pinned, ...others] = new Set(Object.values(manifest.optionalDependencies))
    assert.deepEqual(others, [])
    const [version = '', ...system] = (variables.DMT_NODE_TAG as string).split('-')
    assert.equal(`${pinned}.`.startsWith(`${version}.`), true, `${version} is not ${pinned}`)
    assert.deepEqual(system, ['bookworm', 'slim'])
  })
})
