import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse as parseQueryString } from 'node:querystring'
import { duration } from '../../../lib/cli/options.ts'
import { InvalidQueryError, queryParser, splitUrl } from '../../../lib/http/query.ts'
import { refuse, respond } from '../../../lib/http/respond.ts'
import { Faults } from './faults.ts'
import { FaultRefused, StackLink } from './stack-link.ts'
import { type FaultName, switches, type Targets } from './switches.ts'
import { faultHeaders } from './token.ts'

export const FAULTS_PATH = '/faults'

const parseQuery = queryParser({ for: duration({ default: '5s', minMs: 1, help: 'how long it lasts' }) })

export interface ListedFault {
  readonly name: FaultName
  readonly help: string
  /** Null while the fault is off. */
  readonly remainingMs: number | null
}

const names = Object.keys(switches) as FaultName[]

/** Starts the fault switches of this app. */
export function startFaults(targets: Omit<Targets, 'stack'>) {
  const faults = new Faults({ ...targets, stack: new StackLink() })
  return {
    answer: createFaultRoutes(faults),
    readPulse: () => faults.readPulse(),
    close: () => faults.close(),
  }
}

/**
 * The routes of the fault switches, a part of the admin server. Every request needs `Authorization: Bearer TOKEN`, with the token of
 * this user.
 *
 *   GET    /faults                        all faults, with the remaining time of each that is on
 *   POST   /faults/kill-orders?for=5s     switches a fault on
 *   DELETE /faults/kill-orders            ends a fault early
 */
function createFaultRoutes(faults: Faults) {
  const { authorization } = faultHeaders()
  const list = (): ListedFault[] => {
    const remainingMs = faults.remainingMs()
    return names.map(name => ({
      name,
      help: switches[name].help,
      remainingMs: remainingMs.get(name) ?? null,
    }))
  }

  async function act(method: string | undefined, name: FaultName, query: string): Promise<void> {
    if (method === 'POST') await faults.begin(name, parseQuery(parseQueryString(query)).for)
    else faults.end(name)
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isEqual(request.headers.authorization ?? '', authorization)) {
      response.setHeader('www-authenticate', 'Bearer')
      return refuse(
        response,
        401,
        'UNAUTHORIZED',
        'fault switches need Authorization: Bearer and their token',
      )
    }
    const [path, query] = splitUrl(request.url as string)
    const name = names.find(each => path === `${FAULTS_PATH}/${each}`)
    const isList = path === FAULTS_PATH && request.method === 'GET'
    if (!isList && !(name && (request.method === 'POST' || request.method === 'DELETE')))
      return refuse(
        response,
        404,
        'NOT_FOUND',
        `there is GET ${FAULTS_PATH}, and POST and DELETE of each in it`,
      )
    try {
      if (name) await act(request.method, name, query)
      respond(response, 200, 'application/json', JSON.stringify(list()))
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
