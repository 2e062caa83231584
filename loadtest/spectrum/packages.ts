import type { Slice } from './spectrum.ts'

/**
 * The concern that each package works for, a line a package. A name that ends in a slash stands for all names that
 * begin with it.
 */
export const packages: Readonly<Record<string, Slice>> = {
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
  negotiator: 'application',
  undici: 'upstream',
}
