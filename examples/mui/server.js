import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createRenderer } from '@main-thread/render'
import express from 'express'

const renderer = await createRenderer({ app: new URL('./build/app.js', import.meta.url) })
const app = express()
app.use('/assets', express.static(fileURLToPath(new URL('./build/public', import.meta.url))))
app.get('/{*path}', (request, reply) => renderer.reply(request, reply))

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1')
await once(server, 'listening')
console.log(`http://127.0.0.1:${server.address().port}`)
for (const signal of ['SIGTERM', 'SIGINT'])
  process.once(signal, () => {
    server.close()
    void renderer.close()
  })
