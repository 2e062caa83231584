import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'

// Serves the application in the working directory, but renders it on the main thread, as its framework's manual says.
const importHere = async path => import(pathToFileURL(join(process.cwd(), path)).href)
const [{ createElement }, { renderToPipeableStream }] = await Promise.all(
  ['node_modules/react/index.js', 'node_modules/react-dom/server.node.js'].map(async path => {
    const module = await importHere(path)
    return module.default ?? module
  }),
)
const { default: App, load, options } = await importHere(existsSync('page.js') ? 'page.js' : 'build/app.js')
const publicFolder = existsSync('build/client') ? 'build/client/assets' : 'build/public'

async function answer(request, response) {
  if (request.url.startsWith('/assets/')) {
    const file = await readFile(join(publicFolder, request.url.slice('/assets/'.length)))
    return response.setHeader('content-type', 'text/javascript').end(file)
  }
  const page = { status: 200, headers: {} }
  const { method, headers } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const body = hasBody ? { body: Readable.toWeb(request), duplex: 'half' } : {}
  const toRequest = () => new Request(`http://${headers.host}${request.url}`, { method, headers, ...body })
  const props = await load({ url: request.url, toRequest }, page)
  if (props instanceof Response) {
    response.setHeaders(props.headers).writeHead(props.status)
    return props.body ? pipeline(props.body, response) : response.end()
  }
  const stream = renderToPipeableStream(createElement(App, props), {
    ...options,
    onShellReady() {
      response.writeHead(page.status, { 'content-type': 'text/html; charset=utf-8' })
      stream.pipe(response)
    },
  })
}

const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
console.log(`http://127.0.0.1:${server.address().port}`)
