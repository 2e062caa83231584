import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import express, { type Request, type Response } from 'express'
import { parseQuery } from '../../../lib/http/query.ts'
import { sendStream } from '../../../lib/main-thread/send-stream.ts'
import type { Answer } from '../../route.ts'
import { type CreateHttpServer, serverLimits } from './contract.ts'

/** Express 5, set up for production as its manual advises. */
export const createHttpServer: CreateHttpServer = async service => {
  const app = express()
  app.set('env', 'production')
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  // The other frameworks send no ETag by default.
  app.disable('etag')
  // No answer has a validator, but Express would answer "If-None-Match: *" with 304 all the same.
  Object.defineProperty(app.request, 'fresh', { value: false })
  app.set('query parser', parseQuery)
  for (const path of service.paths) {
    app.get(path, async (request, response) => {
      send(response, await service.answer(path, request.query, request, response))
    })
  }
  const refuse = (request: IncomingMessage, response: ServerResponse) =>
    send(response as Response, service.refuse(request))
  app.use(refuse)
  // If Express finds no path in a URL, it calls none of its handlers but only this callback.
  return createServer(serverLimits, (request, response) =>
    app(request as Request, response as Response, () => refuse(request, response)),
  )
}

function send(response: Response, { status, headers, body }: Answer): void {
  response.status(status).set(headers)
  if (body instanceof Readable) sendStream(response, body)
  else response.send(body)
}
