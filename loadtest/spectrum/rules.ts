import { pathToFileURL } from 'node:url'
import { packages } from './packages.ts'
import type { Slice } from './spectrum.ts'

/**
 * Where a function's time belongs, by how the path of its file begins: in this project, or among the modules of
 * Node.js. A function of no list, such as one of `lib/`, works for whoever called it.
 */
const files: Readonly<Partial<Record<Slice | 'control', readonly string[]>>> = {
  framework: ['app/concerns/framework/'],
  compute: ['app/concerns/compute/', 'workers/', 'lib/main-thread/'],
  serialization: ['app/concerns/serialization/', 'orders/'],
  logging: ['app/concerns/logging/', 'logger-transport/'],
  apm: ['app/concerns/apm/', 'app/pulse/', 'apm-agent/'],
  rendering: ['app/concerns/rendering/', 'render/'],
  control: ['app/handicap.ts'],
  application: ['app/'],
  http: ['node:_http', 'node:net', 'node:internal/stream_base_commons'],
}

const ROOT = pathToFileURL(`${import.meta.dirname}/../../`).pathname

/**
 * What a function of this file belongs to; undefined when it works for its caller.
 * @param url of the script, as V8 has it: `file:///…`, a path, `node:…`, or empty for generated and native code
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
