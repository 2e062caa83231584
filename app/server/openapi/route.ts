import { queryParser } from '../../../lib/http/query.ts'
import { JSON_TYPE } from '../../concerns/serialization/contract.ts'
import type { ApiRoute } from '../../route.ts'
import { describeJson } from './describe-answer.ts'
import { describeRoutes } from './document.ts'

/** Serves the document of `routes` and of this route itself. It is made once, at the first request. */
export function createOpenApiRoute(routes: readonly ApiRoute[]): ApiRoute {
  const parse = queryParser({})
  let body: Buffer | undefined
  const route: ApiRoute = {
    path: '/openapi.json',
    parameters: {},
    answer: describeJson('This document', { type: 'object' }),
    handle(raw) {
      parse(raw)
      body ??= Buffer.from(JSON.stringify(describeRoutes([...routes, route])))
      return { contentType: JSON_TYPE, body }
    },
  }
  return route
}
