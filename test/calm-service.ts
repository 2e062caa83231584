import { AppService } from '../app/service.ts'
import { patience } from '../app/test-options.fixture.ts'
import { loggerOf } from '../lib/telemetry/logger.ts'
import { createNoApm } from './no-apm.ts'

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
