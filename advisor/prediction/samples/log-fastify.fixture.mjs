import fastify from 'fastify'
import pino from 'pino'

/** Ten lines for each request. Its command says what stdout is. */
const { SEGMENTS: directory } = process.env
const ours = async () => (await import('@main-thread/logger-transport')).segments({ directory })
const app = fastify({ loggerInstance: directory ? pino(await ours()) : pino() })
app.get('/', async request => {
  for (let step = 0; step < 10; step++)
    request.log.info({ step, user: { id: step, name: 'someone' } }, 'step done')
  return { hello: 'world' }
})
await app.listen({ port: Number(process.env.PORT) })
