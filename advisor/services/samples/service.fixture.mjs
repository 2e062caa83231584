/** Samples of well-known frameworks: `node service.fixture.mjs NAME`. Each loads only the packages that it uses. */
import { createServer } from 'node:http'
import { Worker } from 'node:worker_threads'

const port = Number(process.env.PORT)
const LOAD_MS = 2000
const orders = Array.from({ length: 500 }, (_, id) => ({ id, name: `order ${id}`, total: id * 1.5 }))

const samples = {
  async express() {
    const [{ default: express }, { default: jwt }, { pinoHttp }, { z }] = await Promise.all([
      import('express'),
      import('jsonwebtoken'),
      import('pino-http'),
      import('zod'),
    ])
    const query = z.object({ page: z.coerce.number().int().min(0), size: z.coerce.number().int().max(100) })
    const token = jwt.sign({ sub: 'reader' }, 'secret')
    const app = express()
    app.use(pinoHttp())
    app.get('/orders', (request, response) => {
      const { sub } = jwt.verify(token, 'secret')
      const { page, size } = query.parse(request.query)
      request.log.info({ sub, page }, 'orders')
      response.json(orders.slice(page * size, (page + 1) * size))
    })
    app.listen(port)
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
        return orders.slice(0, 30)
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

  async sqlite() {
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(':memory:')
    database.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT, total REAL)')
    const insert = database.prepare('INSERT INTO orders (name, total) VALUES (?, ?)')
    for (const { name, total } of orders) insert.run(name, total)
    const select = database.prepare('SELECT * FROM orders WHERE total > ? ORDER BY name LIMIT 20')
    createServer((_, response) => response.end(JSON.stringify(select.all(300)))).listen(port)
  },

  async proxy() {
    const { default: httpProxy } = await import('http-proxy')
    const behind = new Worker(
      `const server = require('node:http').createServer((_, response) => response.end('{}'))
      server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port))`,
      { eval: true },
    )
    behind.once('message', at => {
      const proxy = httpProxy.createProxyServer({ target: { host: '127.0.0.1', port: at } })
      createServer((request, response) => proxy.web(request, response)).listen(port)
    })
  },

  async mqtt() {
    const [{ createServer: createSocketServer }, { Aedes }] = await Promise.all([
      import('node:net'),
      import('aedes'),
    ])
    createSocketServer((await Aedes.createBroker()).handle).listen(port)
  },

  async 'mqtt-load'() {
    const { default: mqtt } = await import('mqtt')
    for (let connection = 0; connection < 5; connection++) {
      const client = mqtt.connect(`mqtt://127.0.0.1:${port}`)
      const send = () =>
        client.publish(`orders/${connection}`, JSON.stringify({ id: connection }), { qos: 1 })
      client.on('message', send)
      client.on('connect', () => client.subscribe(`orders/${connection}`, send))
      setTimeout(() => client.end(true), LOAD_MS)
    }
  },
}

await samples[process.argv[2]]()
