import { createServer } from 'node:http'
import fastify, { type FastifyReply } from 'fastify'
import type { Answer } from '../../route.ts'
import { type CreateHttpServer, sendAnswer, serverLimits } from './contract.ts'

/**
 * The framework routes, parses and sends. Fastify 5, set up as its manual shows, does so with less work of its own
 * between the socket and the route.
 *
 * Some parts of Fastify are not used, because the app does their work for every framework: schemas (the app parses
 * queries and encodes answers), the logger, and the limits of requests.
 */
export const createHttpServer: CreateHttpServer = async service => {
  const app = fastify({
    serverFactory: handler => createServer(serverLimits, handler),
    frameworkErrors: (_error, request, reply) => {
      void send(reply, service.refuse(request.raw))
    },
  })
  // No route accepts a body, so none is read. A parser would also wait for the end of an empty body, which never comes
  // with the server option optimizeEmptyRequests.
  app.removeAllContentTypeParsers()
  for (const path of service.paths) {
    // Fastify would follow a promise in case that it rejects, which no answer does.
    app.get(path, (request, reply) => {
      const query = request.query as Record<string, unknown>
      void service.answer(path, query, request.raw, reply.raw).then(answer => send(reply, answer))
    })
  }
  app.setNotFoundHandler((request, reply) => send(reply, service.refuse(request.raw)))
  // A route never throws, so this handler gets only requests that Fastify itself refuses, such as one with a body.
  // Such a request is answered like any other with its method and path.
  app.setErrorHandler((_error, request, reply) => send(reply, service.refuse(request.raw)))
  await app.ready()
  // The app stops the server as it stops every server; then the `onClose` hooks of Fastify run.
  app.server.once('close', () => void app.close())
  return app.server
}

/**
 * Sends the answer as node:http does. Fastify's own `send` would copy the headers one by one, look for hooks and
 * serializers that this app does not have, and let the answer pass a chain of functions for them.
 */
function send(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.hijack()
  sendAnswer(reply.raw, answer)
  return reply
}
