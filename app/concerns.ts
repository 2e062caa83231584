import type { Apm, CreateApm } from './concerns/apm/contract.ts'
import type { ComputeModule } from './concerns/compute/contract.ts'
import type { CreateHttpServer } from './concerns/framework/contract.ts'
import type { CreateLogSink, LogSink } from './concerns/logging/contract.ts'
import type { CreateRendering } from './concerns/rendering/contract.ts'
import type { CreateSerialization } from './concerns/serialization/contract.ts'
import type { CreateUpstream } from './concerns/upstream/contract.ts'

/** The table of all implementations of every concern. A library is loaded only when its line is used. */
export const implementations = {
  framework: {
    express: since(0, () => import('./concerns/framework/express.ts')),
    fastify: since(3, () => import('./concerns/framework/fastify.ts')),
    http: () => import('./concerns/framework/http.ts'),
  },
  compute: {
    inline: since(0, () => import('./concerns/compute/inline.ts')),
    threads: since(1, () => import('./concerns/compute/threads.ts')),
    processes: () => import('./concerns/compute/processes.ts'),
    nats: () => import('./concerns/compute/nats.ts'),
    piscina: () => import('./concerns/compute/piscina.ts'),
  },
  serialization: {
    native: since(0, () => import('./concerns/serialization/native.ts')),
    compiled: since(2, () => import('./concerns/serialization/compiled.ts')),
    protobuf: () => import('./concerns/serialization/protobuf.ts'),
  },
  logging: {
    none: () => import('./concerns/logging/none.ts'),
    winston: since(0, () => import('./concerns/logging/winston.ts')),
    pino: () => import('./concerns/logging/pino.ts'),
    'pino-transport': () => import('./concerns/logging/pino-transport.ts'),
    sidecar: since(4, () => import('./concerns/logging/sidecar.ts')),
  },
  apm: {
    none: () => import('./concerns/apm/none.ts'),
    opentelemetry: since(0, () => import('./concerns/apm/opentelemetry.ts')),
    'in-process': () => import('./concerns/apm/in-process.ts'),
    sidecar: since(5, () => import('./concerns/apm/sidecar.ts')),
  },
  rendering: {
    string: () => import('./concerns/rendering/string.ts'),
    stream: since(0, () => import('./concerns/rendering/stream.ts')),
    threads: since(6, () => import('./concerns/rendering/threads.ts')),
    parts: () => import('./concerns/rendering/parts.ts'),
  },
  upstream: {
    main: since(0, () => import('./concerns/upstream/main.ts')),
    threads: since(7, () => import('./concerns/upstream/threads.ts')),
  },
} as const satisfies {
  framework: Lazy<{ createHttpServer: CreateHttpServer }>
  compute: Lazy<ComputeModule>
  serialization: Lazy<{ createSerialization: CreateSerialization }>
  logging: Lazy<{ createLogSink: CreateLogSink<LogSink, never> }>
  apm: Lazy<{ createApm: CreateApm<Apm, never> }>
  rendering: Lazy<{ createRendering: CreateRendering<never> }>
  upstream: Lazy<{ createUpstream: CreateUpstream<never> }>
}

type Lazy<Module> = Record<string, () => Promise<Module>>

interface Numbered {
  (): Promise<unknown>
  readonly since?: number
}

/**
 * Records the number of the step that moves the concern to this implementation; step 0 is the first. The steps are derived from these
 * numbers. An implementation without a number belongs to no step.
 */
function since<Load extends () => Promise<unknown>>(step: number, load: Load) {
  return Object.assign(load, { since: step })
}

export type Concern = keyof typeof implementations
export const concerns = Object.keys(implementations) as Concern[]

export const forEachConcern = <T>(
  make: (concern: Concern, index: number) => T,
): { readonly [C in Concern]: T } =>
  Object.fromEntries(concerns.map((concern, index) => [concern, make(concern, index)])) as {
    [C in Concern]: T
  }

/** A composition has one implementation for every concern. */
export type Composition = { readonly [C in Concern]: Implementation<C> }
export type Implementation<C extends Concern> = keyof (typeof implementations)[C] & string

/** The number of the step that moves a concern to an implementation; undefined if no step does. */
export function stepOf(concern: Concern, name: string): number | undefined {
  const named: Readonly<Record<string, Numbered>> = implementations[concern]
  return named[name]?.since
}

export const namesOf = <C extends Concern>(concern: C) =>
  Object.keys(implementations[concern]) as Implementation<C>[]

type Named = Readonly<Record<Concern, string>>

/** The sidecars, each with a test whether a composition needs it: one line per sidecar. */
const sidecars: Readonly<Record<string, (named: Named) => boolean>> = {
  'logger-transport': ({ logging }) => logging === 'sidecar',
  'apm-agent': ({ apm }) => apm !== 'none',
}

/** Whether a composition needs a sidecar, such as `apm-agent`. */
export const isNeeded = (name: string, composition: Named): boolean => sidecars[name]?.(composition) ?? false
