import { parse } from 'node:querystring'
import type { OptionTable, Values } from '../cli/options.ts'

/** Parameters as the parser of a framework returns them: a repeated parameter is a list. */
export type RawQuery = Readonly<Record<string, unknown>>

/**
 * A query string that the route does not accept. The message names the parameter, the received value and the expected
 * one.
 */
export class InvalidQueryError extends Error {
  override name = 'InvalidQueryError'
}

/**
 * The path and the query string of a request's URL. A second `?` belongs to the query. A proxy may send the URL with
 * scheme and host.
 */
export function splitUrl(target: string): readonly [path: string, query: string] {
  const url = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/, '')
  const mark = url.indexOf('?')
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)]
}

/**
 * Makes a parser for the query of one route. Its table is of the same kind as that of command line options. The parser
 * throws InvalidQueryError for an unknown, repeated or malformed parameter.
 */
export function queryParser<Table extends OptionTable>(table: Table): (raw: RawQuery) => Values<Table> {
  const defaults = Object.fromEntries(
    Object.entries(table).map(([name, option]) => [
      name,
      option.default === undefined ? undefined : option.parse(option.default),
    ]),
  )
  return raw => {
    const values = { ...defaults }
    for (const name of Object.keys(raw)) {
      const option = Object.hasOwn(table, name) ? table[name] : undefined
      if (!option)
        throw new InvalidQueryError(`unknown parameter ${quote(name)}; known are ${listNames(table)}`)
      const received = raw[name]
      const value = typeof received === 'string' ? option.parse(received) : undefined
      if (value === undefined) {
        throw new InvalidQueryError(`${name} must be ${option.expected}, received ${quote(received)}`)
      }
      values[name] = value
    }
    return values as Values<Table>
  }
}

const listNames = (table: OptionTable) => Object.keys(table).join(', ') || 'none'

/** The received value as JSON, cut to a length that fits a message. */
const quote = (received: unknown) => JSON.stringify(received).slice(0, 100)

/**
 * Parses a query with node:querystring. By default that ignores all parameters after the first thousand; 0 lifts this
 * limit.
 */
export const parseQuery = (query: string): RawQuery => parse(query, '&', '=', { maxKeys: 0 })
