import { createRoutes } from '../app/routes.ts'
import { createOtherRoutes } from '../app/server/other-routes.ts'

/** No route is asked here. */
const nothing = { logging: {}, compute: {}, upstream: {} } as never

/** The paths of all routes of the app but its files. */
export const servicePaths: readonly string[] = [
  '/',
  ...[...createRoutes(nothing), ...createOtherRoutes(nothing)].map(({ path }) => path),
]

/** The parameters of all these routes. */
export const parameterNames = [
  ...['seed', 'size', 'cost', 'kib', 'orders', 'payload', 'count'],
  ...['search', 'status', 'sort'],
]
