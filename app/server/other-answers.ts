import type { Order, OrdersQuery } from '../../orders/order.ts'

/** The answers that contain orders, besides that of `/demo`. */
export const otherAnswers = {
  OrdersAnswer: {
    tasks: () => [],
    log() {},
    compose: ({ seed, payload }: OrdersQuery, orders: readonly Order[]) => ({ seed, payload, orders }),
  },
} as const

/** Their JSON Schemas. */
export const otherSchemas = ({ orders }: { readonly orders: object }) =>
  ({
    OrdersAnswer: {
      type: 'object',
      properties: { seed: { type: 'integer' }, payload: { type: 'string' }, orders },
    },
  }) as const
