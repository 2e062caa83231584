/** The resources, besides the main thread, for which a request may have to wait. */
export type Need = 'compute' | 'rendering' | 'upstream'

/** What the requests of a route may have to wait for. A route without needs is never refused and has no deadline. */
export const needs = {
  task: ['compute'],
  orders: ['compute', 'upstream'],
  io: ['upstream'],
  page: ['upstream', 'rendering'],
} as const satisfies Readonly<Record<string, readonly Need[]>>
