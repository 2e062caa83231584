import { pathToFileURL } from 'node:url'
import { type Concern, forEachConcern } from '../../app/concerns.ts'
import type { Slice } from './spectrum.ts'

/** The concern that each package works for. A name that ends in a slash stands for all names that begin with it. */
const packages: Readonly<Record<string, Slice>> = {
  express: 'framework',
  router: 'framework',
  finalhandler: 'framework',
  fastify: 'framework',
  '@fastify/': 'framework',
  'find-my-way': 'framework',
  avvio: 'framework',
  '@nats-io/': 'compute',
  protobufjs: 'serialization',
  'fast-json-stringify': 'serialization',
  winston: 'logging',
  'winston-transport': 'logging',
  logform: 'logging',
  pino: 'logging',
  'sonic-boom': 'logging',
  'thread-stream': 'logging',
  '@opentelemetry/': 'apm',
  react: 'rendering',
  'react-dom': 'rendering',
  scheduler: 'rendering',
  undici: 'upstream',
}

/** Folders outside of `app/concerns/` that work for a concern. */
const offloads: Readonly<Partial<Record<Concern, readonly string[]>>> = {
  compute: ['workers/', 'lib/main-thread/', 'app/tasks.ts'],
  serialization: ['orders/', 'app/answers/'],
  logging: ['logger-transport/'],
  apm: ['app/server/pulse/', 'apm-agent/'],
  rendering: ['app/pages/', 'render/'],
  upstream: ['lib/telemetry/call', 'app/pages/in-thread'],
}

/** The slice of a function, by the beginning of its file's path in this project or of its module's name in Node.js. */
const files: Readonly<Partial<Record<Slice | 'control', readonly string[]>>> = {
  ...forEachConcern(concern => [`app/concerns/${concern}/`, ...(offloads[concern] ?? [])]),
  control: ['loadtest/sample/handicap.ts'],
  application: ['app/'],
  http: ['node:_http', 'node:net', 'node:internal/stream_base_commons'],
}

const ROOT = pathToFileURL(`${import.meta.dirname}/../../`).pathname

/**
 * The slice of the functions of a file; undefined when they work for their callers, such as those of `lib/`.
 * @param url of the script: `file:///…`, a path, `node:…`, or empty for generated and native code
 */
export function findSlice(url: string): Slice | 'control' | undefined {
  const path = url.replace(/^file:\/\//, '')
  const ofPackage = path.split('/node_modules/').at(-1) as string
  return ofPackage === path ? ofFile(path.replace(ROOT, '')) : ofModule(ofPackage)
}

const ofFile = (path: string) =>
  (Object.entries(files) as [Slice | 'control', readonly string[]][]).find(([, beginnings]) =>
    beginnings.some(beginning => path.startsWith(beginning)),
  )?.[0]

const ofModule = (path: string) =>
  Object.entries(packages).find(([name]) => path.startsWith(name.endsWith('/') ? name : `${name}/`))?.[1]
