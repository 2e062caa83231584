import { mediaTypes } from '../../orders/order.ts'
import { answerSchemas, SubsetSum } from '../concerns/serialization/answers.schema.ts'

/** The successful answer of a route: its purpose, and the schema of each media type. */
interface Described {
  readonly summary: string
  readonly content: Readonly<Record<string, object>>
}

const integer = { type: 'integer' } as const
const text = { type: 'string' } as const

const json = (summary: string, schema: object): Described => ({
  summary,
  content: { 'application/json': schema },
})

const object = (properties: Readonly<Record<string, object>>) => ({ type: 'object', properties })

/** The answer is Protobuf only if the implementation of serialization supports it and the client accepts it. */
const orders = (summary: string, schema: object): Described => ({
  summary,
  content: { 'application/json': schema, [mediaTypes.protobuf]: {} },
})

export const answers = {
  FrontPage: {
    summary: 'Links to the other routes, as JSON, or as a page for browsers',
    content: {
      'application/json': object({
        links: { type: 'array', items: object({ href: text, title: text, description: text }) },
      }),
      'text/html': text,
    },
  },
  Hello: json('A constant', object({ hello: { const: 'world' } })),
  SubsetSum: json('A CPU-bound task: how many subsets of some numbers add up to a target', SubsetSum),
  Orders: orders('What the orders service sent, decoded and encoded again', answerSchemas.OrdersAnswer),
  Lines: json('Log lines were written', object({ count: integer })),
  Io: json(
    'A file, a key derivation and a call upstream',
    object({ seed: integer, digest: text, orderId: integer }),
  ),
  Demo: orders('Orders from upstream, two CPU-bound tasks and ten log lines', answerSchemas.DemoAnswer),
  Page: { summary: 'The page, rendered on the server', content: { 'text/html': text } },
  Health: json('It runs', object({ status: { const: 'ok' } })),
  Readiness: json('Requests may be sent here', object({ status: { const: 'ready' } })),
  OpenApi: json('This document', { type: 'object' }),
} as const satisfies Record<string, Described>

export type AnswerOfRoute = keyof typeof answers
