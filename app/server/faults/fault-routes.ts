import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse as parseQueryString } from 'node:querystring'
import { duration } from '../../../lib/cli/options.ts'
import { InvalidQueryError, queryParser, splitUrl } from '../../../lib/http/query.ts'
import { refuse } from '../../../lib/http/respond.ts'
import type { AdminRoutes } from '../../admin.ts'
import type { Faults } from './faults.ts'
import { FaultRefused } from './stack-link.ts'
import { faultNames } from './switches.ts'
import { faultHeaders } from './token.ts'

export const FAULTS_PATH = '/faults'

const parseQuery = queryParser({ for: duration({ default: '5s', minMs: 1, help: 'how long it lasts' }) })

/**
 * Adds the routes of the fault switches to those of the admin server. Every request needs `Authorization: Bearer TOKEN`, with the
 * token of this user. The answer is the list of all faults.
 *
 *   GET    /faults                        all faults, with the remaining time of each that is on
 *   POST   /faults/kill-orders?for=5s     switches a fault on
 *   DELETE /faults/kill-orders            ends a fault early
 */
export function addFaultRoutes(admin: AdminRoutes, faults: Faults): void {
  const { authorization } = faultHeaders()
  const guarded =
    (act: (query: string) => unknown) => async (request: IncomingMessage, response: ServerResponse) => {
      if (!isEqual(request.headers.authorization ?? '', authorization)) {
        response.setHeader('www-authenticate', 'Bearer')
        return refuse(
          response,
          401,
          'UNAUTHORIZED',
          'this needs Authorization: Bearer and the token of faults',
        )
      }
      try {
        await act(splitUrl(request.url as string)[1])
        return faults.list()
      } catch (error) {
        if (error instanceof InvalidQueryError) return refuse(response, 400, 'INVALID_QUERY', error.message)
        if (error instanceof FaultRefused) return refuse(response, 409, 'FAULT_REFUSED', error.message)
        throw error
      }
    }
  admin.set(
    `GET ${FAULTS_PATH}`,
    guarded(() => {}),
  )
  for (const name of faultNames) {
    const begin = (query: string) => faults.begin(name, parseQuery(parseQueryString(query)).for)
    admin.set(`POST ${FAULTS_PATH}/${name}`, guarded(begin))
    admin.set(
      `DELETE ${FAULTS_PATH}/${name}`,
      guarded(() => faults.end(name)),
    )
  }
}

/** Compares in a time that does not depend on the number of matching characters. */
export const isEqual = (given: string, right: string): boolean =>
  timingSafeEqual(digest(given), digest(right))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
