import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRenderer } from '@main-thread/render'

const renderer = await createRenderer({
  app: new URL('./build/app.js', import.meta.url),
  answerError: ({ statusCode }, _, response) => response.writeHead(statusCode).end('Come back later.'),
})
const client = await readFile(new URL('./build/public/client.js', import.meta.url))

const server = createServer((request, response) => {
  if (request.url === '/assets/client.js') response.setHeader('content-type', 'text/javascript').end(client)
  else void renderer.reply(request, response)
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1')
await once(server, 'listening')
console.log(`http://127.0.0.1:${server.address().port}`)
for (const signal of ['SIGTERM', 'SIGINT'])
  process.once(signal, () => {
    server.close()
    void renderer.close()
  })
