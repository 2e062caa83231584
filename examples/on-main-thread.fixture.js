import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

// Serves the application in the working directory, but renders it on the main thread, as its framework's manual says.
const importHere = async path => import(pathToFileURL(join(process.cwd(), path)).href)
const [{ createElement }, { renderToPipeableStream }] = await Promise.all(
  ['node_modules/react/index.js', 'node_modules/react-dom/server.node.js'].map(async path => {
    const module = await importHere(path)
    return module.default ?? module
  }),
)
const { default: App, load, options } = await importHere('build/app.js')

async function answer(request, response) {
  if (request.url.startsWith('/assets/')) {
    const file = await readFile(join('build/public', request.url.slice('/assets/'.length)))
    return response.setHeader('content-type', 'text/javascript').end(file)
  }
  const page = { status: 200, headers: {} }
  const toRequest = () => new Request(`http://${request.headers.host}${request.url}`)
  const props = await load({ url: request.url, toRequest }, page)
  if (props instanceof Response)
    return response.writeHead(props.status, Object.fromEntries(props.headers)).end(await props.text())
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
