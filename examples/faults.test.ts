import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { toFlags } from '../lib/cli/command-line.ts'
import { findFreePort } from '../lib/http/listen.ts'
import { type RunningProcess, startProcess } from '../lib/processes/start-process.ts'
import { until } from '../test/faults/fault.ts'

// @ts-expect-error the example is JavaScript
const { directoryOf } = await import('./plain-service/compose.js')

const PROJECT = join(import.meta.dirname, '..')
const FROM_SOURCES = join(import.meta.dirname, 'from-sources.ts')
const KILL_THREADS = join(import.meta.dirname, 'kill-threads.fixture.ts')

describe('the example with every offload', () => {
  const directory = mkdtempSync(join(tmpdir(), 'plain-service-'))
  const apmSocket = join(directory, 'run/agent.sock')
  const logFile = join(directory, 'shipped.log')
  let url: string
  let service: ChildProcess
  let stderr = ''
  const sidecars = new Map<string, RunningProcess>()

  async function startSidecar(name: string, options: Record<string, string | number>): Promise<void> {
    const file = join(PROJECT, name, 'main.ts')
    sidecars.set(
      name,
      await startProcess({ name, file, flags: toFlags({ port: 0, ...options }), echo: false }),
    )
  }
  const startTransport = () =>
    startSidecar('logger-transport', { logDir: join(directory, 'logs/segments'), logFile })
  const startAgent = () => startSidecar('apm-agent', { apmSocket })

  before(async () => {
    await Promise.all([startTransport(), startAgent()])
    const port = await findFreePort()
    url = `http://127.0.0.1:${port}`
    const variant = directoryOf('after')
    const preloaded = [FROM_SOURCES, KILL_THREADS, join(variant, 'telemetry.js')]
    const flags = [...preloaded.flatMap(file => ['--import', file]), join(variant, 'server.js')]
    const env = { ...process.env, PORT: String(port), DMT_APM_SOCKET: apmSocket }
    service = spawn(process.execPath, flags, { cwd: directory, env, stdio: ['ignore', 'ignore', 'pipe'] })
    service.stderr?.setEncoding('utf8').on('data', text => (stderr += text))
    await until(() =>
      statusOf('/').then(
        () => true,
        () => false,
      ),
    )
  })
  after(async () => {
    const ended = once(service, 'exit')
    service.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
    await Promise.all([...sidecars.values()].map(sidecar => sidecar.stop()))
    rmSync(directory, { recursive: true })
  })

  const kill = async (name: string) => {
    sidecars.get(name)?.signal('SIGKILL')
    await sidecars.get(name)?.ended
  }
  /** The status of an answer that has been read to its end: the service waits for others when it stops. */
  const statusOf = async (path: string) => {
    const response = await fetch(url + path)
    await response.arrayBuffer()
    return response.status
  }
  const isGood = async (path: string) => (await statusOf(path)) === 200
  const areShipped = (ids: readonly number[]) => {
    const shipped = existsSync(logFile) ? readFileSync(logFile, 'utf8') : ''
    return ids.every(id => shipped.includes(`"order":${id},`))
  }

  test('serves, and ships every line, when logger-transport was killed', async () => {
    await kill('logger-transport')
    assert.ok((await isGood('/orders/1001')) && (await isGood('/orders/1002')))
    await startTransport()
    await until(() => areShipped([1001, 1002]))
  })

  test('serves, and reports every request, when apm-agent was killed', async () => {
    await kill('apm-agent')
    for (const id of [2001, 2002, 2003]) assert.ok(await isGood(`/orders/${id}/invoice`))
    await startAgent()
    const metrics = async () => (await fetch(`${sidecars.get('apm-agent')?.addresses.http}/metrics`)).text()
    await until(async () =>
      /duration_seconds_count\{[^}]*orders\/:id\/invoice[^}]*\} 3$/m.test(await metrics()),
    )
  })

  test('serves, keeps lines in memory, and ships them later, when the disk is full', async () => {
    // A file that must not grow fails as one on a full disk does. Only the lines of the service are in files.
    const limit = (bytes: string) =>
      execFileSync('prlimit', ['--pid', String(service.pid), `--fsize=${bytes}`])
    limit('1:')
    assert.ok((await isGood('/orders/3001')) && (await isGood('/orders/3002')))
    await until(() => stderr.includes('log lines wait'))
    limit('unlimited:')
    assert.ok(await isGood('/orders/3003'))
    await until(() => areShipped([3001, 3002, 3003]))
  })

  test('answers with 500 only what threads held when they died, and all else', async () => {
    const asked = Array.from({ length: 16 }, (_, id) => statusOf(`/orders/${id + 1}/invoice`))
    service.kill('SIGUSR2')
    const statuses = await Promise.all(asked)
    // On a busy machine the threads may hold all of them: tasks that are not declared idempotent do not run again.
    assert.deepEqual(
      statuses.filter(status => status !== 500 && status !== 200),
      [],
    )
    assert.ok((await isGood('/orders/1/invoice')) && (await isGood('/orders?count=5')))
  })
})
