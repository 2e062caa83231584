import fastify from 'fastify'
import { createElement } from 'react'
import Page from './page.fixture.mjs'

async function createAnswer() {
  if (process.env.POOL) {
    const { createRenderer } = await import('@main-thread/render')
    const renderer = await createRenderer({ app: new URL('page.fixture.mjs', import.meta.url) })
    return (request, reply) => renderer.reply(request, reply, { mode: 'string' })
  }
  const { renderToString } = await import('react-dom/server')
  return (_, reply) => reply.type('text/html; charset=utf-8').send(renderToString(createElement(Page)))
}

const app = fastify()
app.get('/', await createAnswer())
await app.listen({ port: Number(process.env.PORT) })
