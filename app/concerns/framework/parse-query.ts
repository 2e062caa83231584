import { parse } from 'node:querystring'
import type { RawQuery } from '../../../lib/http/query.ts'

/**
 * Parses a query with node:querystring. By default that ignores all parameters after the first thousand; 0 lifts this
 * limit.
 */
export const parseQuery = (query: string): RawQuery => parse(query, '&', '=', { maxKeys: 0 })
