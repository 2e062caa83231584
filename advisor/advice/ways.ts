import type { gains } from './gains.ts'

/** How a concern can leave the main thread, or become cheaper on it. */
export interface Way {
  /** Whether the work can be done elsewhere. */
  readonly leaves: boolean
  readonly way: string
  /** Why it stays, if it does; by default because it runs where the request is. */
  readonly stays?: string
  /** The step of ours that did it. */
  readonly example?: keyof typeof gains
}

const UNKNOWN = 'nothing is known about it'

/** The way of each concern. A concern of the user's own, which is not here, is treated like the application. */
const ways: Readonly<Record<string, Way>> = {
  compute: { leaves: true, way: 'a pool of worker threads', example: 'compute' },
  rendering: {
    leaves: true,
    way: 'a pool of worker threads that renders whole pages and sends back one string',
    example: 'rendering',
  },
  logging: {
    leaves: true,
    way: 'a sidecar that formats and ships; the main thread writes lines in batches',
    example: 'logging',
  },
  apm: { leaves: true, way: 'a sidecar; the main thread only records', example: 'apm' },
  serialization: {
    leaves: false,
    way: 'another library or format, or let the worker that needs the data decode and encode it',
    example: 'serialization',
  },
  framework: { leaves: false, way: 'another library', example: 'framework' },
  'auth and crypto': {
    leaves: true,
    way: 'the asynchronous function of the same library if it has one (it runs on threads of libuv), otherwise a pool of worker threads',
    example: 'compute',
  },
  compression: {
    leaves: true,
    way: 'the asynchronous functions of node:zlib, or the proxy in front of the service',
  },
  validation: { leaves: false, way: 'another library: one that compiles its schemas' },
  database: {
    leaves: false,
    way: 'fewer or smaller queries, or a batch; whoever needs the rows can fetch them in a worker thread',
  },
  messaging: { leaves: false, way: 'batches: fewer and larger messages' },
  'http client': {
    leaves: false,
    way: 'fewer requests, or let the worker thread that needs the data fetch it',
  },
  files: { leaves: true, way: 'the asynchronous functions of node:fs, and a cache of what is read often' },
  http: {
    leaves: false,
    way: 'more processes that share the port; fewer and larger writes for each response',
  },
  'module loading': { leaves: false, way: 'import at start-up, not in a request' },
  runtime: { leaves: false, way: 'fewer timers and promises for each request' },
  'other packages': {
    leaves: false,
    stays: UNKNOWN,
    way: 'name the concern of these packages with --concerns',
  },
  unattributed: {
    leaves: false,
    stays: UNKNOWN,
    way: 'a source map for the bundle, a profile that is split where the files are, or a name for its folder by --concerns',
  },
  application: {
    leaves: true,
    way: 'a pool of worker threads, if it is synchronous work on plain data',
    example: 'compute',
  },
}

export const wayOf = (concern: string): Way =>
  (Object.hasOwn(ways, concern) ? ways[concern] : ways.application) as Way
