import { createServer } from 'node:http'
import { Worker } from 'node:worker_threads'
import httpProxy from 'http-proxy'

const behind = new Worker(
  `const { createServer } = require('node:http')
  const server = createServer((_, response) => response.end('{}'))
  server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port))`,
  { eval: true },
)
behind.once('message', port => {
  const proxy = httpProxy.createProxyServer({ target: { host: '127.0.0.1', port } })
  createServer((request, response) => proxy.web(request, response)).listen(process.env.PORT)
})
