import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { splitUrl } from '../lib/http/query.ts'
import { refuse, respond } from '../lib/http/respond.ts'

/** By method and path, such as `GET /usage`. A function answers with its value as JSON, or by itself. */
export type AdminRoutes = Map<string, (request: IncomingMessage, response: ServerResponse) => unknown>

export const createAdminRoutes = (): AdminRoutes => new Map([['GET /usage', readUsage]])

/** The server for operators. It listens on loopback only. */
export function createAdminServer(routes: AdminRoutes): Server {
  return createServer(async (request, response) => {
    const [path] = splitUrl(request.url as string)
    const route = routes.get(`${request.method} ${path}`)
    if (!route)
      return refuse(
        response,
        404,
        'NOT_FOUND',
        `there is only ${[...routes.keys()].filter(isListed).join(', ')}`,
      )
    const value = await route(request, response)
    if (!response.headersSent) respond(response, 200, 'application/json', JSON.stringify(value))
  })
}

/** There are many faults, and `npm run fault` lists them. */
const isListed = (route: string) => !route.includes(' /faults/')

/** CPU microseconds of the main thread, and of the whole process. */
function readUsage() {
  const [thread, all] = [process.threadCpuUsage(), process.cpuUsage()]
  return {
    mainThread: { cpuMicros: thread.user + thread.system },
    total: { cpuMicros: all.user + all.system },
  }
}
