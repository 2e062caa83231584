import { type Measured, peers } from './gains.ts'

/** A package that takes a concern off the main thread, with a line of code that shows how. */
export interface Package {
  readonly name: string
  /** Its purpose, in a few words. */
  readonly what: string
  readonly code: string
  /** What a request costs the main thread with it, over what it costs with ours; null if no published run compares them. */
  readonly versusOurs: Measured | null
}

/** Code for what a service uses, by the packages in its spectrum. The first one that is there counts; the last is for all. */
type ByPackage = Readonly<Record<string, string>>

/** How an answer that comes later is sent, by framework. */
const answering = (work: string): ByPackage => ({
  fastify: `app.get('/path', request => ${work})`,
  '@nestjs/core': `@Get('path') get() { return ${work} }`,
  express: `app.get('/path', async (request, response) => response.send(await ${work}))`,
  koa: `router.get('/path', async context => { context.body = await ${work} })`,
  '@hapi/hapi': `server.route({ method: 'GET', path: '/path', handler: () => ${work} })`,
  hono: `app.get('/path', async context => context.json(await ${work}))`,
  '': `createServer(async (request, response) => response.end(await ${work}))`,
})

interface Choice {
  readonly name: string
  readonly what: string
  readonly code: ByPackage
  /** Its name in runs of `peers`. */
  readonly peer?: keyof typeof peers
}

const threads: readonly Choice[] = [
  {
    name: '@main-thread/workers',
    what: 'ours: a pool of threads with deadlines',
    code: answering(`pool.run('task', input)`),
  },
  {
    name: 'piscina',
    what: 'the pool of threads that most know',
    code: answering('piscina.run(input)'),
    peer: 'piscina',
  },
]

/** Ours first, then what people know. */
const choices: Readonly<Record<string, readonly Choice[]>> = {
  compute: threads,
  application: threads,
  'auth and crypto': threads,
  rendering: [
    {
      name: '@main-thread/render',
      what: 'ours: React in threads',
      code: {
        fastify: `app.get('/', fastifyHandler(renderer, () => [renderer.part('Page', props)]))`,
        '': `createServer(httpHandler(renderer, () => [renderer.part('Page', props)]))`,
      },
    },
    {
      name: 'piscina',
      what: 'the pool of threads that most know, with a task that renders to a string',
      code: answering('piscina.run(props)'),
    },
  ],
  logging: [
    {
      name: '@main-thread/logger-transport',
      what: 'ours: lines go to files, and a process ships them',
      code: {
        winston: `createLogger({ transports: [segments({ directory: 'logs' })] })`,
        'nestjs-pino': `LoggerModule.forRoot({ pinoHttp: { logger: pino(segments({ directory: 'logs' })) } })`,
        'pino-http': `app.use(pinoHttp({ logger: pino(segments({ directory: 'logs' })) }))`,
        fastify: `fastify({ loggerInstance: pino(segments({ directory: 'logs' })) })`,
        '': `const log = pino(segments({ directory: 'logs' }))`,
      },
    },
    {
      name: 'pino',
      what: 'its transport formats and writes in a thread',
      code: { '': `pino(pino.transport({ target: 'pino/file', options: { destination: 'app.log' } }))` },
      peer: 'pino-transport',
    },
  ],
  apm: [
    {
      name: '@main-thread/apm-agent',
      what: 'ours: records go to a process that makes spans and metrics',
      code: { '': 'node --import @main-thread/apm-agent/register server.js' },
    },
    {
      name: 'an OpenTelemetry collector as a sidecar',
      what: 'it takes retries and exports; the SDK still makes the spans, so sample',
      code: {
        '': 'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 OTEL_TRACES_SAMPLER=parentbased_traceidratio',
      },
    },
  ],
  compression: [
    { name: 'nginx', what: 'or the proxy that is there already', code: { '': 'gzip on; gzip_proxied any;' } },
  ],
}

/** Next.js and Nuxt render by themselves, so no package can take that over. */
const caching: readonly Choice[] = [
  {
    name: 'next',
    what: 'a page that does not change with each request is rendered once',
    code: { '': 'export const revalidate = 60' },
  },
]

const choicesOf = (concern: string): readonly Choice[] =>
  (Object.hasOwn(choices, concern) && choices[concern]) || []

/** The packages that take a concern off the main thread. @param seen names of the packages in the spectrum */
export function packagesFor(concern: string, seen: ReadonlySet<string>): Package[] {
  const found = concern === 'rendering' && seen.has('next') ? caching : choicesOf(concern)
  return found.map(({ name, what, code, peer }) => {
    const key = Object.keys(code).find(each => each === '' || seen.has(each)) as string
    return { name, what, code: code[key] as string, versusOurs: (peer && peers[peer]) ?? null }
  })
}
