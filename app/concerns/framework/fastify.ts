import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import fastify, { type FastifyReply } from 'fastify'
import { serverLimits } from '../../limits.ts'
import type { Answer, CreateHttpServer } from './contract.ts'
import { sendStream } from './send-stream.ts'

/**
 * The framework routes, parses and sends. Fastify 5, set up as its manual shows, does so with less work of its own
 * between the socket and the route.
 */
export const createHttpServer: CreateHttpServer = async service => {
  const app = fastify({
    // No route accepts a body, so none is read.
    bodyLimit: 1,
    serverFactory: handler => createServer(serverLimits, handler),
    frameworkErrors: (_error, request, reply) => {
      void send(reply, service.refuse(request.raw))
    },
  })
  for (const path of service.paths) {
    app.get(path, async (request, reply) => {
      const answer = await service.answer(
        path,
        request.query as Record<string, unknown>,
        request.raw,
        reply.raw,
      )
      return send(reply, answer)
    })
  }
  app.setNotFoundHandler((request, reply) => send(reply, service.refuse(request.raw)))
  // A route never throws, so this handler gets only requests that Fastify itself refuses, such as one with a body that
  // it cannot parse. No route accepts a body, so such a request is answered like any other with its method and path.
  app.setErrorHandler((_error, request, reply) => send(reply, service.refuse(request.raw)))
  await app.ready()
  return app.server
}

function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  if (!(body instanceof Readable)) return reply.code(status).headers(headers).send(body)
  reply.hijack()
  reply.raw.writeHead(status, headers)
  sendStream(reply.raw, body)
  return reply
}
