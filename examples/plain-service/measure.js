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
  options: {
    blocks: { type: 'string', default: '8' },
    json: { type: 'boolean', default: false },
  },
})
const env = { ...process.env, NODE_ENV: 'production', OTEL_SERVICE_NAME: 'plain-service' }
const commandOf = variant => `node --import ./build/${variant}/telemetry.js build/${variant}/server.js`
const settings = ['--blocks', values.blocks, '--warmup', '1s', '--for', '2s']
if (values.json) settings.push('--json')

mkdirSync('logs', { recursive: true, mode: 0o700 })
// Both sides have the same receivers: apm-agent takes OpenTelemetry's OTLP, too.
const stdio = ['ignore', 'ignore', 'inherit']
const sidecars = [
  spawn('node_modules/.bin/logger-transport', ['--log-file', 'logs/shipped.log', '--port', '0'], {
    env,
    stdio,
  }),
  spawn('node_modules/.bin/apm-agent', [], { env, stdio }),
]
const results = []
for (const [variant, url] of cases) {
  if (positionals.length > 0 && !positionals.includes(variant)) continue
  console.error(`\n${variant}, ${url}\n`)
  const sides = ['--before', commandOf('before'), '--after', commandOf(variant), '--url', url]
  const stdio = ['ignore', values.json ? 'pipe' : 'inherit', 'inherit']
  const { stdout, status } = spawnSync('node_modules/.bin/main-thread', ['versus', ...sides, ...settings], {
    env,
    stdio,
  })
  if (status !== 0) process.exitCode = 1
  else if (values.json) results.push({ offload: variant, ...JSON.parse(stdout) })
}
if (values.json)
  console.log(
    JSON.stringify(results.map(({ offload, path, comparisons }) => ({ offload, path, comparisons }))),
  )
for (const sidecar of sidecars) sidecar.kill()
