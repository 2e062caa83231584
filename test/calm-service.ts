import { createApm } from '../app/concerns/apm/none.ts'
import { resource } from '../app/context.ts'
import { AppService } from '../app/service.ts'
import { patience } from '../app/test-options.fixture.ts'
import { loggerOf } from '../lib/telemetry/logger.ts'

type ServiceOptions = ConstructorParameters<typeof AppService>[0]

const ignore = () => {}
const silent = loggerOf(() => ignore)

/** A service whose requests have enough time. */
export const createCalmService = async (options: Pick<ServiceOptions, 'routes'> & Partial<ServiceOptions>) =>
  new AppService({
    logger: silent,
    apm: options.apm ?? (await createNoApm()),
    requestTimeoutMs: patience.requestTimeoutMs,
    ...options,
  })

/** Options that an implementation which records nothing ignores. */
const unused = {
  otlpUrls: { traces: '', metrics: '' },
  apmSocket: '',
  apmMemoryMib: 1,
  metricIntervalMs: 1,
  sampling: { isParentBased: true, ratio: 1 },
}

export const createNoApm = () => createApm({ ...unused, resource })
