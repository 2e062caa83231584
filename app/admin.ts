import { createServer, type Server } from 'node:http'
import { refuse, respond } from '../lib/respond.ts'
import type { Composition } from './concerns.ts'
import type { Usage } from './usage.ts'

export interface AdminOptions {
  readonly composition: Composition
  readUsage(): Promise<Usage>
}

/** The admin server: CPU accounting at `GET /usage`, and what runs at `GET /process`. For loopback only. */
export function createAdminServer({ composition, readUsage }: AdminOptions): Server {
  const routes: Record<string, () => unknown> = {
    '/usage': readUsage,
    '/process': () => ({ pid: process.pid, composition }),
  }
  return createServer(async (request, response) => {
    const route = Object.hasOwn(routes, request.url as string) ? routes[request.url as string] : undefined
    if (route && request.method === 'GET') {
      return respond(response, 200, 'application/json', JSON.stringify(await route()))
    }
    refuse(response, 404, 'NOT_FOUND', `there is only GET ${Object.keys(routes).join(', ')}`)
  })
}
