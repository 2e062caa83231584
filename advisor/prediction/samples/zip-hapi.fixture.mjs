import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import Hapi from '@hapi/hapi'

const text = JSON.stringify(
  Array.from({ length: 500 }, (_, id) => ({ id, name: `order ${id}`, total: id * 1.5 })),
)
const gzip = process.env.POOL ? promisify(zlib.gzip) : zlib.gzipSync
const server = Hapi.server({ port: process.env.PORT, compression: false })
server.route({
  method: 'GET',
  path: '/',
  handler: async (_, h) => h.response(await gzip(text)).header('content-encoding', 'gzip'),
})
await server.start()
