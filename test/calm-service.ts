import { Refusals } from '../app/server/overload/refusals.ts'
import { AppService } from '../app/service.ts'
import { patience } from '../app/test-options.fixture.ts'
import { loggerOf } from '../lib/telemetry/logger.ts'
import { createNoApm } from './no-apm.ts'

type ServiceOptions = ConstructorParameters<typeof AppService>[0]

const ignore = () => {}
const silent = loggerOf(() => ignore)

/** A service that is never overloaded and whose requests have enough time. */
export async function createCalmService(options: Pick<ServiceOptions, 'routes'> & Partial<ServiceOptions>) {
  const { logger = silent } = options
  return new AppService({
    logger,
    apm: options.apm ?? (await createNoApm()),
    admission: { enter: () => undefined, leave() {} },
    refusals: new Refusals(logger),
    requestTimeoutMs: patience.requestTimeoutMs,
    ...options,
  })
}
