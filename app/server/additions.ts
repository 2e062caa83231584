import type { Order, OrdersQuery } from '../../orders/order.ts'

/** The answers that contain orders, besides that of `/demo`. */
export const otherAnswers = {
  OrdersAnswer: {
    tasks: () => [],
    log() {},
    compose: ({ seed, payload }: OrdersQuery, orders: readonly Order[]) => ({ seed, payload, orders }),
  },
} as const

export const otherSchemas = ({ orders }: { readonly orders: object }) =>
  ({
    OrdersAnswer: {
      type: 'object',
      properties: { seed: { type: 'integer' }, payload: { type: 'string' }, orders },
    },
  }) as const

/** The problems that only the operation of the service has. */
export const operationProblems = {
  MALFORMED_URL: { status: 400, detail: 'the URL has a fragment, or a percent-encoding that is not UTF-8' },
  MALFORMED_REQUEST: { status: 400, detail: 'the request is not valid HTTP/1.1' },
  REQUEST_TIMEOUT: { status: 408, detail: 'the request did not arrive in time' },
  CONTENT_TOO_LARGE: { status: 413, detail: 'no route accepts a request body' },
  URL_TOO_LONG: { status: 414, detail: 'the URL is too long' },
  HEADERS_TOO_LARGE: { status: 431, detail: 'the request headers are too large' },
  OVERLOADED: { status: 503, detail: 'the service is overloaded and cannot answer in time; try again' },
  UPSTREAM_UNAVAILABLE: { status: 503, detail: 'the orders service is failing at the moment; try again' },
} as const
