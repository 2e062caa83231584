/** A link of the front page. */
export interface Link {
  readonly href: string
  readonly title: string
  readonly description: string
}

/** @param liveUrl the live page; undefined if this composition has none */
export const listLinks = (liveUrl: string | undefined): readonly Link[] => [
  { href: '/page', title: 'A page', description: 'Orders of a shop, rendered on the server part by part.' },
  ...(liveUrl === undefined
    ? []
    : [
        {
          href: liveUrl,
          title: 'The live page',
          description: 'How busy the main thread is, what a request costs, and how long clients wait.',
        },
      ]),
  {
    href: '/demo',
    title: 'The demo request',
    description: 'Orders from upstream, two CPU-bound tasks, ten log lines. The load test measures it.',
  },
  { href: '/hello', title: 'The lightest request', description: 'A constant. It needs the framework only.' },
  {
    href: '/openapi.json',
    title: 'All routes',
    description: 'Their parameters and answers, as OpenAPI 3.1.',
  },
]
