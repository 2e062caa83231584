import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '../../../lib/http/listen.ts'
import { COLLECTOR } from './build.ts'
import { type Received, readReceived } from './received.ts'

const READY = 'Everything is ready'
const signals = ['traces', 'metrics', 'logs'] as const

/** Starts OpenTelemetry's collector, which writes everything that it receives to files in the directory. */
export async function startCollector(directory: string) {
  const port = await findFreePort()
  const config = join(directory, 'collector.json')
  await writeFile(config, JSON.stringify(configure(port, directory)))
  const collector = spawn(COLLECTOR, ['--config', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(collector, 'exit')
  let said = ''
  const ready = new Promise<void>(resolve =>
    collector.stderr.on('data', chunk => {
      said += chunk
      if (said.includes(READY)) resolve()
    }),
  )
  await Promise.race([
    ready,
    ended.then(() => {
      throw new Error(`the collector ended: ${said}`)
    }),
  ])
  return {
    url: `http://127.0.0.1:${port}`,
    /** Stops the collector. @returns everything that it received */
    async stop(): Promise<Received> {
      collector.kill('SIGTERM')
      await ended
      return readReceived(directory)
    },
  }
}

/** The collector's configuration; its format, YAML, includes JSON. */
function configure(port: number, directory: string) {
  const named = signals.map(signal => [`file/${signal}`, { path: join(directory, `${signal}.json`) }])
  const pipelines = signals.map(signal => [signal, { receivers: ['otlp'], exporters: [`file/${signal}`] }])
  return {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: Object.fromEntries(named),
    service: { telemetry: { metrics: { level: 'none' } }, pipelines: Object.fromEntries(pipelines) },
  }
}
