import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import './compose.js'

/** The change of each offload, and the requests by which it is measured. */
const cases = [
  ['logging', '/orders/7'],
  ['apm', '/orders/7'],
  ['workers', '/orders/7/invoice'],
  ['render', '/orders?count=200'],
  ['after', '/orders/7'],
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { blocks: { type: 'string', default: '8' }, 'accept-noise': { type: 'boolean', default: false } },
})
const env = { ...process.env, NODE_ENV: 'production', OTEL_SERVICE_NAME: 'plain-service' }
const commandOf = variant => `node --import ./build/${variant}/telemetry.js build/${variant}/server.js`
const noise = values['accept-noise'] ? ['--accept-noise'] : []
const settings = ['--blocks', values.blocks, '--warmup', '1s', '--for', '2s', '--markdown', ...noise]

mkdirSync('logs', { recursive: true, mode: 0o700 })
// Both sides have the same receivers: apm-agent takes OpenTelemetry's OTLP, too. Without a pipe on stdin, logger-transport reads segments.
const stdio = ['ignore', 'ignore', 'inherit']
const sidecars = [
  spawn('node_modules/.bin/logger-transport', ['--log-file', 'logs/shipped.log', '--port', '0'], {
    env,
    stdio,
  }),
  spawn('node_modules/.bin/apm-agent', [], { env, stdio }),
]
for (const [variant, url] of cases) {
  if (positionals.length > 0 && !positionals.includes(variant)) continue
  console.log(`\n${variant}, ${url}\n`)
  const sides = ['--before', commandOf('before'), '--after', commandOf(variant), '--url', url]
  spawnSync('node_modules/.bin/main-thread', ['versus', ...sides, ...settings], { env, stdio: 'inherit' })
}
for (const sidecar of sidecars) sidecar.kill()
