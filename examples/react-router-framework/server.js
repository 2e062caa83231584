import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRenderer } from '@main-thread/render'

const renderer = await createRenderer({ app: new URL('./page.js', import.meta.url) })

const server = createServer(async (request, response) => {
  if (!request.url.startsWith('/assets/')) return renderer.reply(request, response)
  const file = new URL(`./build/client${new URL(request.url, 'http://localhost').pathname}`, import.meta.url)
  const type = file.pathname.endsWith('.css') ? 'text/css' : 'text/javascript'
  const bytes = await readFile(file).catch(() => undefined)
  if (bytes) response.setHeader('content-type', type).end(bytes)
  else response.writeHead(404).end()
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1')
await once(server, 'listening')
console.log(`http://127.0.0.1:${server.address().port}`)
for (const signal of ['SIGTERM', 'SIGINT'])
  process.once(signal, () => {
    server.close()
    void renderer.close()
  })
