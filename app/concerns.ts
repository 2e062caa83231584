import type { CreateApm } from './concerns/apm/contract.ts'
import type { CreateCompute } from './concerns/compute/contract.ts'
import type { CreateHttpServer } from './concerns/framework/contract.ts'
import type { CreateLogSink } from './concerns/logging/contract.ts'
import type { CreateRendering } from './concerns/rendering/contract.ts'
import type { CreateSerialization } from './concerns/serialization/contract.ts'

/** Every implementation of every concern. A library is loaded only when its line is used. */
export const implementations = {
  framework: {
    express: () => import('./concerns/framework/express.ts'),
    fastify: () => import('./concerns/framework/fastify.ts'),
    http: () => import('./concerns/framework/http.ts'),
  },
  compute: {
    inline: () => import('./concerns/compute/inline.ts'),
    threads: () => import('./concerns/compute/threads.ts'),
    processes: () => import('./concerns/compute/processes.ts'),
  },
  serialization: {
    native: () => import('./concerns/serialization/native.ts'),
    compiled: () => import('./concerns/serialization/compiled.ts'),
    protobuf: () => import('./concerns/serialization/protobuf.ts'),
    threads: () => import('./concerns/serialization/threads.ts'),
  },
  logging: {
    none: () => import('./concerns/logging/none.ts'),
    winston: () => import('./concerns/logging/winston.ts'),
    pino: () => import('./concerns/logging/pino.ts'),
    'pino-transport': () => import('./concerns/logging/pino-transport.ts'),
    sidecar: () => import('./concerns/logging/sidecar.ts'),
  },
  apm: {
    none: () => import('./concerns/apm/none.ts'),
    opentelemetry: () => import('./concerns/apm/opentelemetry.ts'),
    'in-process': () => import('./concerns/apm/in-process.ts'),
    sidecar: () => import('./concerns/apm/sidecar.ts'),
  },
  rendering: {
    string: () => import('./concerns/rendering/string.ts'),
    stream: () => import('./concerns/rendering/stream.ts'),
    threads: () => import('./concerns/rendering/threads.ts'),
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
