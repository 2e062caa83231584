import type { StageStep } from './stage-messages.ts'

/** What a concern is, in plain words, by its name or that of another slice of the spectrum. */
export const plainNames: Readonly<Record<string, string>> = {
  framework: 'web framework',
  compute: 'CPU tasks',
  serialization: 'encoding, decoding',
  logging: 'log lines',
  apm: 'metrics, traces',
  rendering: 'pages',
  upstream: 'fetching orders',
  application: 'routes',
  http: 'HTTP',
  runtime: 'Node.js itself',
  gc: 'garbage collection',
  native: 'native code',
}

/** What a move changes, by its concern and the implementation that it moves to. */
const sentences: Readonly<Record<string, string>> = {
  'compute threads': 'CPU tasks now run in worker threads.',
  'serialization compiled': 'Orders now come as Protobuf, and compiled code writes the JSON.',
  'framework fastify': 'Fastify now routes the requests, in place of Express.',
  'logging sidecar': 'A second process now delivers the log lines.',
  'apm sidecar': 'A second process now makes metrics and traces.',
  'rendering threads': 'Pages now render in threads of their own.',
  'upstream threads': 'The worker that needs the orders now fetches them.',
}

/** What has moved at a step, in one sentence. */
export function sayMove({ name, move }: Pick<StageStep, 'name' | 'move'>): string {
  if (!move) return 'One main thread does everything.'
  return sentences[`${move.concern} ${move.to}`] ?? `${name}: ${move.from} is now ${move.to}.`
}
