import { parse } from 'node:querystring'
import type { RawQuery } from '../../../lib/query.ts'

/** By node:querystring, which would leave out what comes after a thousand parameters. */
export const parseQuery = (query: string): RawQuery => parse(query, '&', '=', { maxKeys: 0 })
