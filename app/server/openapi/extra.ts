import type { Extra } from '../extra.ts'
import { createOpenApiRoute } from './route.ts'

export const createExtra = (): Extra => ({ routes: routes => [createOpenApiRoute(routes)] })
