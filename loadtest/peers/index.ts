import type { CreateApm } from '../../app/concerns/apm/contract.ts'
import type { ComputeModule } from '../../app/concerns/compute/contract.ts'
import type { CreateLogSink } from '../../app/concerns/logging/contract.ts'
import type { CreateRendering } from '../../app/concerns/rendering/contract.ts'
import type { CreateSerialization } from '../../app/concerns/serialization/contract.ts'
import type { Concern } from '../../app/concerns.ts'

/**
 * Implementations that only the load test knows: libraries that a team has today, or would pick. Their packages are those of
 * this folder's package.json.
 */
export const peers = {
  compute: {
    known: () => import('./compute/known.ts'),
    tinypool: () => import('./compute/tinypool.ts'),
    workerpool: () => import('./compute/workerpool.ts'),
    poolifier: () => import('./compute/poolifier.ts'),
  } satisfies Lazy<ComputeModule>,
  serialization: {
    'protobuf-es': () => import('./serialization/protobuf-es.ts'),
    ajv: () => import('./serialization/ajv.ts'),
    typebox: () => import('./serialization/typebox.ts'),
    msgpackr: () => import('./serialization/msgpackr.ts'),
  } satisfies Lazy<{ createSerialization: CreateSerialization }>,
  logging: {
    console: () => import('./logging/console.ts'),
    'pino-targets': async () => ({ createLogSink: (await import('./logging/pino.ts')).withTargets }),
    'pino-roll': async () => ({ createLogSink: (await import('./logging/pino.ts')).withRoll }),
    roarr: () => import('./logging/roarr.ts'),
  } satisfies Lazy<{ createLogSink: CreateLogSink }>,
  apm: {
    elastic: async () => ({ createApm: (await import('./apm/agents.ts')).elastic }),
    datadog: async () => ({ createApm: (await import('./apm/agents.ts')).datadog }),
    newrelic: async () => ({ createApm: (await import('./apm/agents.ts')).newrelic }),
    sentry: async () => ({ createApm: (await import('./apm/agents.ts')).sentry }),
  } satisfies Lazy<{ createApm: CreateApm }>,
  rendering: {
    piscina: () => import('./rendering/piscina.ts'),
  } satisfies Lazy<{ createRendering: CreateRendering<never> }>,
} as const satisfies { readonly [C in Concern]?: Lazy<unknown> }

type Lazy<Module> = Readonly<Record<string, () => Promise<Module>>>
