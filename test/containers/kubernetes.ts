import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { stringify } from 'yaml'
import { until } from '../faults/fault.ts'
import { readDeployments, type Workload } from '../kubernetes/manifest.ts'
import { engine, isOk } from './engine.ts'

/**
 * Runs the pods of deploy/kubernetes/base by `podman kube play`, from the images that lifecycle.ts has built. podman has
 * pods, probes, volumes and security contexts; it has no native sidecars, services, policies or hooks.
 */
const BASE = join(import.meta.dirname, '../../deploy/kubernetes/base')
const NETWORK = 'decomposition-pods'
const directory = mkdtempSync(join(tmpdir(), 'pods-'))
const file = join(directory, 'pods.yaml')

const isPodman = await engine('kube', '--help').then(
  () => true,
  () => false,
)

/** The pod of a Deployment as podman can run it: its sidecars are containers beside the others. */
function podOf({ metadata, spec }: Workload) {
  const { initContainers = [], containers, ...rest } = spec.template.spec
  const all = [...initContainers, ...containers].map(({ restartPolicy, lifecycle, image, ...container }) => ({
    ...container,
    image: `localhost/${image}`,
    imagePullPolicy: 'Never',
  }))
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { ...rest, containers: all } }
}

/** Address of a pod in its network. */
async function addressOf(pod: string): Promise<string> {
  const id = (await engine('pod', 'inspect', '-f', '{{.InfraContainerID}}', pod)).trim()
  return (
    await engine('inspect', '-f', '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}', id)
  ).trim()
}

describe('the pods', { skip: isPodman ? false : 'this engine does not run pods' }, () => {
  let app = ''
  before(async () => {
    const pods = readDeployments([join(BASE, 'orders.yaml'), join(BASE, 'app.yaml')]).map(podOf)
    writeFileSync(file, pods.map(pod => stringify(pod)).join('---\n'))
    await engine('network', 'create', NETWORK)
    await engine('kube', 'play', '--network', NETWORK, file)
    app = await addressOf('app')
    await until(() => isOk(`http://${app}:3000/readyz`))
  })
  after(async () => {
    if (isPodman) {
      await engine('kube', 'down', file)
      await engine('network', 'rm', NETWORK)
    }
    rmSync(directory, { recursive: true })
  })

  test('answer /demo, and write its log lines to where the platform collects them', async () => {
    const { status } = await fetch(`http://${app}:3000/demo?seed=7`, { headers: { 'x-request-id': 'first' } })
    assert.equal(status, 200)
    await until(async () => (await engine('logs', 'app-logger-transport')).split('"first"').length === 11)
  })

  test('count requests for Prometheus', async () => {
    const counted = 'http_server_request_duration_seconds_count'
    await until(async () => (await (await fetch(`http://${app}:4318/metrics`)).text()).includes(counted))
  })
})
