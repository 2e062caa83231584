import type { CreateApm } from './apm/contract.ts'
import type { CreateCompute } from './compute/contract.ts'
import type { CreateHttpServer } from './framework/contract.ts'
import type { CreateLogSink } from './logging/contract.ts'
import type { CreateRendering } from './rendering/contract.ts'
import type { CreateSerialization } from './serialization/contract.ts'

/** Every implementation of every concern. A library is loaded only when its line is used. */
export const implementations = {
  framework: {
    express: () => import('./framework/express.ts'),
    fastify: () => import('./framework/fastify.ts'),
    http: () => import('./framework/http.ts'),
  },
  compute: {
    inline: () => import('./compute/inline.ts'),
    threads: () => import('./compute/threads.ts'),
    processes: () => import('./compute/processes.ts'),
  },
  serialization: {
    native: () => import('./serialization/native.ts'),
    compiled: () => import('./serialization/compiled.ts'),
    protobuf: () => import('./serialization/protobuf.ts'),
    threads: () => import('./serialization/threads.ts'),
  },
  logging: {
    none: () => import('./logging/none.ts'),
    winston: () => import('./logging/winston.ts'),
    pino: () => import('./logging/pino.ts'),
    'pino-transport': () => import('./logging/pino-transport.ts'),
    sidecar: () => import('./logging/sidecar.ts'),
  },
  apm: {
    none: () => import('./apm/none.ts'),
    opentelemetry: () => import('./apm/opentelemetry.ts'),
    'in-process': () => import('./apm/in-process.ts'),
    sidecar: () => import('./apm/sidecar.ts'),
  },
  rendering: {
    string: () => import('./rendering/string.ts'),
    stream: () => import('./rendering/stream.ts'),
    threads: () => import('./rendering/threads.ts'),
  },
} as const satisfies {
  framework: Lazy<{ createHttpServer: CreateHttpServer }>
  compute: Lazy<{ createCompute: CreateCompute }>
  serialization: Lazy<{ createSerialization: CreateSerialization }>
  logging: Lazy<{ createLogSink: CreateLogSink }>
  apm: Lazy<{ createApm: CreateApm }>
  rendering: Lazy<{ createRendering: CreateRendering }>
}

type Lazy<Module> = Record<string, () => Promise<Module>>

export type Concern = keyof typeof implementations
export const concerns = Object.keys(implementations) as Concern[]

/** One implementation for every concern. */
export type Composition = { readonly [C in Concern]: Implementation<C> }
export type Implementation<C extends Concern> = keyof (typeof implementations)[C] & string

export const namesOf = <C extends Concern>(concern: C) =>
  Object.keys(implementations[concern]) as Implementation<C>[]
