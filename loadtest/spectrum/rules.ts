import { pathToFileURL } from 'node:url'
import type { Slice } from './spectrum.ts'

/** Where a function's time belongs. A function of neither list, such as one of `lib/`, works for whoever called it. */
const rules: Readonly<Partial<Record<Slice | 'control', Rule>>> = {
  framework: {
    files: ['app/framework/'],
    packages: ['express', 'router', 'finalhandler', 'fastify', '@fastify/', 'find-my-way', 'avvio'],
  },
  compute: { files: ['app/compute/', 'workers/'], packages: ['piscina'] },
  serialization: {
    files: ['app/serialization/', 'orders/'],
    packages: ['protobufjs', 'fast-json-stringify'],
  },
  logging: {
    files: ['app/logging/', 'logger-transport/'],
    packages: ['winston', 'winston-transport', 'logform', 'pino', 'sonic-boom', 'thread-stream'],
  },
  apm: { files: ['app/apm/', 'app/pulse/', 'apm-agent/'], packages: ['@opentelemetry/'] },
  rendering: { files: ['app/rendering/', 'render/'], packages: ['react', 'react-dom', 'scheduler'] },
  control: { files: ['app/handicap.ts'] },
  application: { files: ['app/'], packages: ['negotiator'] },
  http: { files: ['node:_http', 'node:net', 'node:internal/stream_base_commons'], packages: ['undici'] },
}

interface Rule {
  /** How the path of a file of this project, or of a module of Node.js, begins. */
  readonly files: readonly string[]
  /** The name of a package, or how it begins when it ends in a slash. */
  readonly packages?: readonly string[]
}

const ROOT = pathToFileURL(`${import.meta.dirname}/../../`).pathname

/**
 * What a function of this file belongs to; undefined when it works for its caller.
 * @param url of the script, as V8 has it: `file:///…`, a path, `node:…`, or empty for generated and native code
 */
export function findSlice(url: string): Slice | 'control' | undefined {
  const path = url.replace(/^file:\/\//, '')
  const ofPackage = path.split('/node_modules/').at(-1) as string
  const belongs = ofPackage === path ? ofFile(path.replace(ROOT, '')) : ofModule(ofPackage)
  return entries.find(([, rule]) => belongs(rule))?.[0]
}

const entries = Object.entries(rules) as [Slice | 'control', Rule][]

const ofFile =
  (path: string) =>
  ({ files }: Rule) =>
    files.some(file => path.startsWith(file))

const ofModule =
  (path: string) =>
  ({ packages = [] }: Rule) =>
    packages.some(name => path.startsWith(name.endsWith('/') ? name : `${name}/`))
