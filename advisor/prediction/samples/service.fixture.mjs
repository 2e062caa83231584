/** Services that are watched: `node service.fixture.mjs NAME`. Each loads only the packages that it uses. */
import { createServer } from 'node:http'

const { POOL, SEGMENTS: directory } = process.env
const port = Number(process.env.PORT)

/** @returns a function that runs a task here, or in a pool of threads */
async function createRun() {
  const tasks = await import('./tasks.fixture.mjs')
  if (!POOL) return (name, input) => tasks[name](input)
  const { createTaskPool } = await import('@main-thread/workers')
  const pool = await createTaskPool({ tasks: new URL('tasks.fixture.mjs', import.meta.url) })
  return (name, input) => pool.run(name, input)
}

const createRenderer = async () =>
  (await import('@main-thread/render')).createRenderer({ app: new URL('page.fixture.mjs', import.meta.url) })

async function createPage() {
  const [{ createElement }, { default: Page }] = await Promise.all([
    import('react'),
    import('./page.fixture.mjs'),
  ])
  return createElement(Page)
}

const services = {
  /** Ten lines for each request. Its command says what stdout is. */
  async 'log-express'() {
    const [{ default: express }, { default: winston }] = await Promise.all([
      import('express'),
      import('winston'),
    ])
    const { combine, json, timestamp } = winston.format
    const ours = async () => (await import('@main-thread/logger-transport/winston')).segments({ directory })
    const transport = directory ? await ours() : new winston.transports.Console()
    const log = winston.createLogger({ format: combine(timestamp(), json()), transports: [transport] })
    const app = express()
    app.get('/', (request, response) => {
      for (let step = 0; step < 10; step++)
        log.info('step done', { step, url: request.url, user: { id: step, name: 'someone' } })
      response.json({ hello: 'world' })
    })
    app.listen(port)
  },

  async 'log-fastify'() {
    const [{ default: fastify }, { default: pino }] = await Promise.all([import('fastify'), import('pino')])
    const ours = async () => (await import('@main-thread/logger-transport')).segments({ directory })
    const app = fastify({ loggerInstance: directory ? pino(await ours()) : pino() })
    app.get('/', async request => {
      for (let step = 0; step < 10; step++)
        request.log.info({ step, user: { id: step, name: 'someone' } }, 'step done')
      return { hello: 'world' }
    })
    await app.listen({ port })
  },

  /** JSON stays, and three milliseconds of CPU time can leave. */
  async 'cpu-fastify'() {
    const [{ default: fastify }, run] = await Promise.all([import('fastify'), createRun()])
    const orders = Array.from({ length: 250 }, (_, id) => ({
      id,
      city: `city ${id % 40}`,
      lines: [{ sku: `A${id}`, price: id * 1.37 }],
    }))
    const app = fastify()
    app.get('/', async () => ({
      score: await run('score', { seed: 7, turns: 1_000_000 }),
      orders: JSON.parse(JSON.stringify(orders)),
    }))
    await app.listen({ port })
  },

  async 'cpu-http'() {
    const run = await createRun()
    const score = () => run('score', { seed: 7, turns: 200_000 })
    createServer(async (_, response) => response.end(String(await score()))).listen(port)
  },

  async 'auth-express'() {
    const [{ default: express }, run] = await Promise.all([import('express'), createRun()])
    const app = express()
    app.get('/', async (_, response) => response.json({ hash: await run('hashPassword', 'secret') }))
    app.listen(port)
  },

  async 'page-koa'() {
    const [{ default: Koa }, run] = await Promise.all([import('koa'), createRun()])
    const app = new Koa()
    app.use(async context => {
      context.type = 'html'
      context.body = await run('renderOrders', 'orders')
    })
    app.listen(port)
  },

  async 'page-stream'() {
    if (POOL) {
      const renderer = await createRenderer()
      return createServer((request, response) => renderer.reply(request, response)).listen(port)
    }
    const [{ renderToPipeableStream }, page] = await Promise.all([import('react-dom/server'), createPage()])
    createServer((_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      const { pipe } = renderToPipeableStream(page, { onShellReady: () => pipe(response) })
    }).listen(port)
  },

  async 'page-string'() {
    const { default: fastify } = await import('fastify')
    const app = fastify()
    if (POOL) {
      const renderer = await createRenderer()
      app.get('/', (request, reply) => renderer.reply(request, reply, { mode: 'string' }))
    } else {
      const [{ renderToString }, page] = await Promise.all([import('react-dom/server'), createPage()])
      app.get('/', (_, reply) => reply.type('text/html; charset=utf-8').send(renderToString(page)))
    }
    await app.listen({ port })
  },

  async 'zip-hapi'() {
    const [{ default: Hapi }, zlib, { promisify }] = await Promise.all([
      import('@hapi/hapi'),
      import('node:zlib'),
      import('node:util'),
    ])
    const text = JSON.stringify(
      Array.from({ length: 500 }, (_, id) => ({ id, name: `order ${id}`, total: id * 1.5 })),
    )
    const gzip = POOL ? promisify(zlib.gzip) : zlib.gzipSync
    const server = Hapi.server({ port, compression: false })
    server.route({
      method: 'GET',
      path: '/',
      handler: async (_, h) => h.response(await gzip(text)).header('content-encoding', 'gzip'),
    })
    await server.start()
  },

  async nest() {
    await import('reflect-metadata')
    const [{ Controller, Get, Inject, Module }, { NestFactory }, { Logger, LoggerModule }] =
      await Promise.all([import('@nestjs/common'), import('@nestjs/core'), import('nestjs-pino')])
    class Orders {
      constructor(logger) {
        this.logger = logger
      }
      list() {
        this.logger.log('orders')
        return Array.from({ length: 30 }, (_, id) => ({ id, name: `order ${id}`, total: id * 1.5 }))
      }
    }
    // The decorators as functions, because this file is run without a compiler.
    Inject(Logger)(Orders, undefined, 0)
    Get()(Orders.prototype, 'list', Object.getOwnPropertyDescriptor(Orders.prototype, 'list'))
    Controller('orders')(Orders)
    class App {}
    Module({ imports: [LoggerModule.forRoot()], controllers: [Orders] })(App)
    await (await NestFactory.create(App, { bufferLogs: true })).listen(port)
  },

  async mqtt() {
    const [{ createServer: createSocketServer }, { Aedes }] = await Promise.all([
      import('node:net'),
      import('aedes'),
    ])
    createSocketServer((await Aedes.createBroker()).handle).listen(port)
  },

  /** A load of the broker, which ends by itself. */
  async 'mqtt-load'() {
    const { default: mqtt } = await import('mqtt')
    for (let connection = 0; connection < 5; connection++) {
      const client = mqtt.connect(`mqtt://127.0.0.1:${port}`)
      const send = () =>
        client.publish(`orders/${connection}`, JSON.stringify({ id: connection }), { qos: 1 })
      client.on('message', send)
      client.on('connect', () => client.subscribe(`orders/${connection}`, send))
      setTimeout(() => client.end(true), 2000)
    }
  },
}

await services[process.argv[2]]()
