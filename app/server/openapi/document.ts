import { STATUS_CODES } from 'node:http'
import type { OptionTable } from '../../../lib/cli/options.ts'
import { queryParser } from '../../../lib/http/query.ts'
import { PROBLEM_TYPE } from '../../../lib/http/respond.ts'
import ordersSchema from '../../../orders/orders.schema.json' with { type: 'json' }
import { JSON_TYPE } from '../../concerns/serialization/contract.ts'
import { type ProblemCode, problemCodes, statusOf } from '../../problems.ts'
import type { ApiRoute } from '../../route.ts'
import { describeJson } from './describe-answer.ts'

/** The place of the schemas of the orders service in the document. */
const COMPONENTS = '#/components/schemas/'

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

/** The OpenAPI 3.1 document of these routes: their parameters, their answers, and every way in which they can fail. */
export const describeRoutes = (routes: readonly ApiRoute[]) => ({
  openapi: '3.1.1',
  info: { title: 'Decomposition of the Main Thread', version: '1.0.0' },
  servers: [{ url: '/' }],
  paths: Object.fromEntries(routes.map(route => [route.path, describeRoute(route)])),
  components: {
    schemas: toOpenApi(ordersSchema.definitions),
    responses: Object.fromEntries(statuses.map(status => [responseName(status), describeFailure(status)])),
  },
})

function describeRoute({ path, parameters, answer }: ApiRoute) {
  const { summary, content } = answer
  const operation = (method: string, response: object) => ({
    operationId: `${method}${path === '/' ? 'FrontPage' : toCamelCase(path)}`,
    summary,
    parameters: describeParameters(parameters),
    responses: { 200: { description: summary, ...response }, ...failures },
  })
  const schemas = Object.entries(content).map(([type, schema]) => [type, { schema: toOpenApi(schema) }])
  return {
    get: operation('get', { content: Object.fromEntries(schemas) }),
    head: operation('head', {}),
  }
}

const toCamelCase = (path: string) => path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())

const describeParameters = (table: OptionTable) =>
  Object.entries(table).map(([name, { help, schema, default: standard, parse }]) => ({
    name,
    in: 'query',
    description: help,
    schema: { ...schema, ...(standard !== undefined && { default: parse(standard) }) },
  }))

/** Problems that a client of a listed route never gets: its path and method are right, and it waits for the answer. */
const OF_NO_ROUTE: readonly ProblemCode[] = ['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'CLIENT_GONE']

const codes = problemCodes.filter(code => !OF_NO_ROUTE.includes(code))
const statuses = [...new Set(codes.map(statusOf))].sort((a, b) => a - b)
const responseName = (status: number) => `Problem${status}`
const failures = Object.fromEntries(
  statuses.map(status => [status, { $ref: `#/components/responses/${responseName(status)}` }]),
)

/** A problem document (RFC 9457). */
function describeFailure(status: number) {
  const properties = {
    type: { const: 'about:blank' },
    title: { const: STATUS_CODES[status] },
    status: { const: status },
    code: { enum: codes.filter(code => statusOf(code) === status) },
    detail: { type: 'string' },
  }
  const [mediaType = ''] = PROBLEM_TYPE.split(';')
  return {
    description: STATUS_CODES[status],
    content: { [mediaType]: { schema: toOpenApi({ type: 'object', properties }) } },
    ...(status === 503 && { headers: { 'retry-after': { schema: { type: 'integer' } } } }),
  }
}

/**
 * Converts a schema to OpenAPI 3.1, which uses JSON Schema 2020-12: `nullable` becomes a type, and references lead to
 * the components. Our answers always have every property and no other, so all properties are required.
 */
function toOpenApi(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toOpenApi)
  if (!isObject(schema)) return schema
  const { nullable, type, $ref, ...rest } = schema as Readonly<Record<string, unknown>>
  const { properties } = rest
  return {
    ...(typeof $ref === 'string' && { $ref: $ref.replace(/^.*\//, COMPONENTS) }),
    ...(type !== undefined && { type: nullable ? [type, 'null'] : toOpenApi(type) }),
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, toOpenApi(value)])),
    ...(isObject(properties) &&
      type === 'object' && { required: Object.keys(properties), additionalProperties: false }),
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
