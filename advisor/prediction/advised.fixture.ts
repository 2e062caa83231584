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
const TO_PIPE = '| cat > /dev/null'
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
  { service: 'Express, winston to a pipe', concern: 'logging', ...logged('log-express', TO_PIPE) },
  { service: 'Express, winston to a file', concern: 'logging', ...logged('log-express', '> $(mktemp)') },
  { service: 'Fastify, pino to a pipe', concern: 'logging', ...logged('log-fastify', TO_PIPE) },
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

export const DIRECTORY = join(homedir(), '.cache/main-thread-services/all')
const MAIN = join(import.meta.dirname, '../main.ts')
const packages =
  'express@5 fastify@5 koa@3 @hapi/hapi@21 winston@3 pino@10 bcryptjs@3 ejs@7 react@19 react-dom@19 @opentelemetry/api@1 @opentelemetry/auto-instrumentations-node@0.82 verdaccio@6.1 json-server@0.17.4 @nestjs/core@11 @nestjs/common@11 @nestjs/platform-express@11 nestjs-pino@4 pino-http@11 reflect-metadata@0.2 rxjs@7 aedes@1 mqtt@5'
/** verdaccio 6.1 wants a version of this package that npm no longer has. */
const overrides = { verdaccio: { 'node-fetch': '2.7.0' } }

/** Installs what the services need, outside of this repository, so that their own code does not look like a package. */
export function install(...more: readonly string[]): void {
  const npm = (...words: string[]) =>
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...words], {
      cwd: DIRECTORY,
      stdio: 'pipe',
    })
  if (!existsSync(join(DIRECTORY, 'node_modules'))) {
    mkdirSync(DIRECTORY, { recursive: true })
    writeFileSync(join(DIRECTORY, 'package.json'), JSON.stringify({ private: true, overrides }))
    npm(...packages.split(' '))
  }
  if (more.length > 0) npm('--no-save', ...more)
  cpSync(join(import.meta.dirname, 'samples'), DIRECTORY, { recursive: true })
}

/** Installs our packages from their tarballs, too. */
export function installAdvised(): void {
  const packed = join(DIRECTORY, 'packed')
  rmSync(packed, { recursive: true, force: true })
  mkdirSync(packed, { recursive: true })
  install(...packAll(packed).map(({ tarball }) => tarball))
}

export const readEnv = async () => ({
  ...process.env,
  PORT: String(await findFreePort()),
  NODE_ENV: 'production',
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
})

/** Asks a command of the advisor, in the directory of the services. */
export async function ask(env: Awaited<ReturnType<typeof readEnv>>, command: string, ...words: string[]) {
  const settings = { cwd: DIRECTORY, env, maxBuffer: 2 ** 27 }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [MAIN, command, '--json', ...words],
    settings,
  )
  return JSON.parse(stdout)
}

/** Asks `spectrum` what the move would bring, and `versus` what it brings. */
export async function follow({ service, concern, path = '/', before, after, beside = 'true' }: Advised) {
  const env = await readEnv()
  const helper = spawn('sh', ['-c', beside], { cwd: DIRECTORY, env, stdio: 'ignore', detached: true })
  try {
    const load = ['--url', `http://127.0.0.1:${env.PORT}${path}`, '--warmup', '2s', '--for', '4s']
    const spectrum = await ask(env, 'spectrum', ...load, '--', 'sh', '-c', before)
    const advice = spectrum.verdict.advice.find((found: { concern: string }) => found.concern === concern)
    const sides = ['--before', before, '--after', after, '--url', path]
    const times = ['--blocks', '5', '--warmup', '500ms', '--for', '700ms']
    const { comparisons } = await ask(env, 'versus', ...sides, ...times)
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
