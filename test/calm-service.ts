import { createApm } from '../app/concerns/apm/none.ts'
import { type Implementation, implementations } from '../app/concerns.ts'
import { resource } from '../app/context.ts'
import { manageConnections } from '../app/server/http-rules.ts'
import { AppService } from '../app/service.ts'
import { type Closing, patience } from '../app/test-options.fixture.ts'
import { listen } from '../lib/http/listen.ts'
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

/** Serves routes by a framework, as the app does, until the test ends. */
export async function serve(
  t: Closing,
  framework: Implementation<'framework'>,
  options: Parameters<typeof createCalmService>[0],
) {
  const service = await createCalmService(options)
  const { createHttpServer } = await implementations.framework[framework]()
  const server = await createHttpServer(service)
  manageConnections(server)
  const url = await listen(server, '127.0.0.1', 0)
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { service, server, url, port: Number(new URL(url).port) }
}

/** Options that an implementation which records nothing ignores. */
const unused = {
  otlpUrls: { traces: '', metrics: '' },
  apmSocket: '',
  apmMemoryMib: 1,
  metricIntervalMs: 1,
  sampling: { isParentBased: true, ratio: 1 },
}

export const createNoApm = () => createApm({ ...unused, resource })
