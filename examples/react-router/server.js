import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRenderer } from '@main-thread/render'
import fastify from 'fastify'

const renderer = await createRenderer({ app: new URL('./build/app.js', import.meta.url) })
const app = fastify()
app.addHook('onClose', () => renderer.close())

app.get('/assets/:file', async ({ params }, reply) => {
  reply.type('text/javascript')
  return readFile(new URL(`./build/public/${params.file.replaceAll('..', '')}`, import.meta.url))
})

app.get('/*', (request, reply) => {
  const nonce = randomBytes(16).toString('base64')
  reply.header('content-security-policy', `script-src 'self' 'nonce-${nonce}'`)
  return renderer.reply(request, reply, { nonce })
})

console.log(await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 3000) }))
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void app.close())
