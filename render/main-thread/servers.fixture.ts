import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import express from 'express'
import fastify from 'fastify'
import { listen } from '../../lib/http/listen.ts'
import type { PageRequest, Renderer } from './index.ts'

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/** Starts a server of node:http, or of what listens as Express does, that is closed with the test. */
export async function serve(t: TestContext, listener: Listener): Promise<string> {
  const server = createServer((request, response) => void listener(request, response))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return listen(server, '127.0.0.1', 0)
}

/** Starts a server of Fastify that answers all requests with pages, and is closed with the test. */
export async function serveFastify(
  t: TestContext,
  renderer: Renderer,
  page: Partial<PageRequest> = {},
  app = fastify(),
): Promise<string> {
  app.addContentTypeParser('application/x-www-form-urlencoded', (_request, _payload, done) => done(null))
  app.get('/*', (request, reply) => renderer.reply(request, reply, page))
  app.post('/*', (request, reply) => renderer.reply(request, reply, page))
  t.after(() => app.close())
  return app.listen({ host: '127.0.0.1', port: 0 })
}

/** An app of Express that tells no errors. */
export const quietExpress = () => express().set('env', 'test')

/** Servers that answer all requests with pages, by their names. */
export const servers: Readonly<
  Record<string, (t: TestContext, renderer: Renderer, page?: Partial<PageRequest>) => Promise<string>>
> = {
  'node:http': (t, renderer, page) =>
    serve(t, (request, response) => renderer.reply(request, response, page)),
  Express: (t, renderer, page) =>
    serve(
      t,
      quietExpress().use((request, response) => renderer.reply(request, response, page)),
    ),
  'Express with parsers': (t, renderer, page) =>
    serve(
      t,
      quietExpress()
        .use(express.urlencoded(), express.json())
        .use((request, response) => renderer.reply(request, response, page)),
    ),
  Fastify: serveFastify,
}
