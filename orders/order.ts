import { duration, integer, text } from '../lib/cli/options.ts'

/**
 * An order in the program, independent of its encoding. orders.proto and orders.schema.json describe the same fields.
 */
export interface Order {
  readonly id: number
  readonly details: {
    readonly customer: string
    readonly product: string
    readonly city: string
    readonly status: string
    /** The time in ISO 8601. */
    readonly placedAt: string
  } | null
  readonly amounts: {
    readonly quantity: number
    readonly unitPrice: number
    readonly discount: number
    readonly tax: number
    readonly total: number
  } | null
}

/** The fields of an order that a query selects: its strings, its numbers, or both. */
export const payloads = ['strings', 'numbers', 'mixed'] as const
export type Payload = (typeof payloads)[number]

export const MAX_ORDERS = 2000

export interface OrdersQuery {
  readonly count: number
  readonly payload: Payload
  readonly seed: number
}

export const mediaTypes = { json: 'application/json', protobuf: 'application/x-protobuf' } as const
export type MediaType = (typeof mediaTypes)[keyof typeof mediaTypes]

/** Whether an `Accept` header names Protobuf. JSON is the default. */
export const acceptsProtobuf = (accept: string | undefined): boolean =>
  accept?.includes(mediaTypes.protobuf) ?? false

/** A product that the shop should order again. */
export interface Recommendation {
  readonly id: number
  readonly product: string
  readonly reason: string
  readonly unitPrice: number
}

export const MAX_RECOMMENDATIONS = 50

export const ordersOptions = {
  host: text({ placeholder: 'HOST', default: '127.0.0.1', help: 'address to listen on' }),
  port: integer({ min: 0, max: 65535, default: '3001', help: 'port to listen on; 0 takes a free one' }),
  latencyMs: duration({ default: '0ms', help: 'wait this long before every answer' }),
  recommendationsLatencyMs: duration({
    default: '20ms',
    help: 'wait this long before an answer with recommendations',
  }),
} as const
