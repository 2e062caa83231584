import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse as parseQueryString } from 'node:querystring'
import { duration } from '../../../lib/cli/options.ts'
import { InvalidQueryError, queryParser, splitUrl } from '../../../lib/http/query.ts'
import { refuse, respond } from '../../../lib/http/respond.ts'
import type { Faults } from './faults.ts'
import { FaultRefused } from './stack-link.ts'
import { type FaultName, faultNames } from './switches.ts'
import { faultHeaders } from './token.ts'

export const FAULTS_PATH = '/faults'

const parseQuery = queryParser({ for: duration({ default: '5s', minMs: 1, help: 'how long it lasts' }) })

/**
 * The routes of the fault switches, a part of the admin server. Every request needs `Authorization: Bearer TOKEN`, with the token of
 * this user.
 *
 *   GET    /faults                        all faults, with the remaining time of each that is on
 *   POST   /faults/kill-orders?for=5s     switches a fault on
 *   DELETE /faults/kill-orders            ends a fault early
 */
export function createFaultRoutes(faults: Faults) {
  const { authorization } = faultHeaders()
  const actions: Readonly<Record<string, (name: FaultName, query: string) => unknown>> = {
    POST: (name, query) => faults.begin(name, parseQuery(parseQueryString(query)).for),
    DELETE: name => faults.end(name),
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request
    if (!isEqual(headers.authorization ?? '', authorization)) {
      response.setHeader('www-authenticate', 'Bearer')
      return refuse(response, 401, 'UNAUTHORIZED', 'this needs Authorization: Bearer and the token of faults')
    }
    const [path, query] = splitUrl(url)
    const name = faultNames.find(each => path === `${FAULTS_PATH}/${each}`)
    const act = name && Object.hasOwn(actions, method) ? actions[method] : undefined
    const isList = path === FAULTS_PATH && method === 'GET'
    if (!isList && !act)
      return refuse(
        response,
        404,
        'NOT_FOUND',
        `there is GET ${FAULTS_PATH}, and POST and DELETE of each fault`,
      )
    try {
      if (name) await act?.(name, query)
      respond(response, 200, 'application/json', JSON.stringify(faults.list()))
    } catch (error) {
      if (error instanceof InvalidQueryError) return refuse(response, 400, 'INVALID_QUERY', error.message)
      if (error instanceof FaultRefused) return refuse(response, 409, 'FAULT_REFUSED', error.message)
      throw error
    }
  }
}

/** Compares in a time that does not depend on the number of matching characters. */
const isEqual = (given: string, right: string): boolean => timingSafeEqual(digest(given), digest(right))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
