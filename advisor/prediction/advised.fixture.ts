import { execFile, execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from '../../lib/http/listen.ts'
import { packAll } from '../../release/packages/pack.ts'
import { killGroup } from '../process/start-service.ts'

/** A service whose user follows the advice of `spectrum`. */
interface Advised {
  readonly service: string
  /** The concern that leaves. */
  readonly concern: string
  readonly path?: string
  /** Commands for the shell; both listen on PORT. */
  readonly before: string
  readonly after: string
  /** A command that runs beside both. */
  readonly beside?: string
}

const serve = (name: string) => `node service.fixture.mjs ${name}`
const pooled = (name: string) => ({ before: serve(name), after: `POOL=1 ${serve(name)}` })
/** What reads the lines is the same program on neither side: before, `cat` or a file; after, our process. */
const logged = (name: string, to: string) => ({
  before: `${serve(name)} ${to}`,
  after: `SEGMENTS=$(mktemp -d); node_modules/.bin/logger-transport --log-dir $SEGMENTS --log-file $SEGMENTS/lines.log & SEGMENTS=$SEGMENTS ${serve(name)} ${to}`,
})
/** Before, an exporter sends to a server that only reads; after, records go to our process. */
const traced = (name: string, instrumentations: string) => ({
  // Of several collectors that start, one gets the port.
  beside:
    'node --eval "http.createServer((q, s) => q.resume().on(\'end\', () => s.end())).listen(4399)" & exec node_modules/.bin/apm-agent --port 0 --apm-socket apm.sock',
  before: `OTEL_NODE_ENABLED_INSTRUMENTATIONS=${instrumentations} OTEL_NODE_RESOURCE_DETECTORS=none OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4399 node --require @opentelemetry/auto-instrumentations-node/register apm.fixture.cjs ${name}`,
  after: `DMT_APM_SOCKET=apm.sock node --import @main-thread/apm-agent/register apm.fixture.cjs ${name}`,
})

export const advised: readonly Advised[] = [
  {
    service: 'Express, winston to a pipe',
    concern: 'logging',
    ...logged('log-express', '| cat > /dev/null'),
  },
  {
    service: 'Express, winston to a file',
    concern: 'logging',
    ...logged('log-express', '> $(mktemp)'),
  },
  {
    service: 'Fastify, pino to a pipe',
    concern: 'logging',
    ...logged('log-fastify', '| cat > /dev/null'),
  },
  {
    service: 'Fastify, OpenTelemetry',
    concern: 'apm',
    path: '/orders/7',
    ...traced('fastify', 'http,fastify,pino'),
  },
  {
    service: 'Express, OpenTelemetry',
    concern: 'apm',
    path: '/orders',
    ...traced('express', 'http,express'),
  },
  { service: 'Fastify, JSON and 3 ms of CPU', concern: 'application', ...pooled('cpu-fastify') },
  { service: '`node:http`, 0.6 ms of CPU', concern: 'application', ...pooled('cpu-http') },
  { service: 'Express, bcryptjs', concern: 'auth and crypto', ...pooled('auth-express') },
  { service: 'Koa, EJS', concern: 'rendering', ...pooled('page-koa') },
  { service: "`node:http`, React's stream", concern: 'rendering', ...pooled('page-stream') },
  { service: 'Fastify, `renderToString`', concern: 'rendering', ...pooled('page-string') },
  { service: 'hapi, `gzipSync`', concern: 'compression', ...pooled('zip-hapi') },
]

const DIRECTORY = join(homedir(), '.cache/main-thread-services/advised')
const MAIN = join(import.meta.dirname, '../main.ts')
const packages = [
  ...['express@5', 'fastify@5', 'koa@3', '@hapi/hapi@21', 'winston@3', 'pino@10', 'bcryptjs@3', 'ejs@7'],
  ...['react@19', 'react-dom@19', '@opentelemetry/api@1', '@opentelemetry/auto-instrumentations-node@0.82'],
]

/** Installs what the services need, and our packages from their tarballs, outside of this repository. */
export function installAdvised(): void {
  const npm = (...words: string[]) =>
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...words], {
      cwd: DIRECTORY,
      stdio: 'pipe',
    })
  if (!existsSync(join(DIRECTORY, 'node_modules'))) {
    mkdirSync(DIRECTORY, { recursive: true })
    writeFileSync(join(DIRECTORY, 'package.json'), '{ "private": true }')
    npm(...packages)
  }
  rmSync(join(DIRECTORY, 'packed'), { recursive: true, force: true })
  mkdirSync(join(DIRECTORY, 'packed'))
  npm('--no-save', ...packAll(join(DIRECTORY, 'packed')).map(({ tarball }) => tarball))
  cpSync(join(import.meta.dirname, 'samples'), DIRECTORY, { recursive: true })
}

/** Asks `spectrum` what the move would bring, and `versus` what it brings. */
export async function follow({ service, concern, path = '/', before, after, beside = 'true' }: Advised) {
  const PORT = String(await findFreePort())
  const env = {
    ...process.env,
    PORT,
    NODE_ENV: 'production',
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  }
  const ask = async (command: string, ...words: string[]) => {
    const settings = { cwd: DIRECTORY, env, maxBuffer: 2 ** 27 }
    return JSON.parse(
      (await promisify(execFile)(process.execPath, [MAIN, command, '--json', ...words], settings)).stdout,
    )
  }
  const times = ['--warmup', '2s', '--for', '4s']
  const helper = spawn('sh', ['-c', beside], { cwd: DIRECTORY, env, stdio: 'ignore', detached: true })
  try {
    const spectrum = await ask(
      'spectrum',
      '--url',
      `http://127.0.0.1:${PORT}${path}`,
      ...times,
      '--',
      'sh',
      '-c',
      before,
    )
    const advice = spectrum.verdict.advice.find((found: { concern: string }) => found.concern === concern)
    const sides = ['--before', before, '--after', after, '--url', path]
    const { comparisons } = await ask(
      'versus',
      ...sides,
      '--blocks',
      '5',
      '--warmup',
      '500ms',
      '--for',
      '700ms',
    )
    const { ratio, ci95 } = comparisons[0].ratio as Measured
    // A concern that is too small for advice has none to follow.
    const { leaves = false, costAtBestRange = [1, 1] } = advice ?? {}
    return { service, concern, leaves, predicted: costAtBestRange as Measured['ci95'], ratio, ci95 }
  } finally {
    killGroup(helper.pid as number, 'SIGKILL')
  }
}

interface Measured {
  readonly ratio: number
  readonly ci95: readonly [number, number]
}
