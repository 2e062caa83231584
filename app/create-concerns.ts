import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { readSampling } from '../lib/telemetry/otel-environment.ts'
import { createLogging } from './concerns/logging/logging.ts'
import { createOrdersClient } from './concerns/upstream/orders-client.ts'
import { implementations } from './concerns.ts'
import type { AppConfig } from './config.ts'
import { resource } from './context.ts'
import { takeFaultyTasks } from './server/faults/files.ts'
import { composeFrom } from './server/options.ts'
import { guardUpstream } from './server/overload/upstream-guard.ts'
import { lendCalls, ownLogFile } from './server/prepare-concerns.ts'
import { instrumentTasks } from './tasks.ts'

/**
 * Starts the implementation of every concern: each gets its options, and those before it.
 * @throws UserError when the destination of log lines cannot be written
 */
export async function createConcerns(config: AppConfig) {
  const composition = composeFrom(config)
  const files = {
    tasksFile: join(import.meta.dirname, '../workers/tasks.ts'),
    serializationFile: join(import.meta.dirname, `concerns/serialization/${composition.serialization}.ts`),
  }
  if (config.faults) takeFaultyTasks(files)

  // Telemetry starts first, because it must patch libraries before they are loaded.
  const { createApm } = await implementations.apm[composition.apm]()
  const apm = await createApm({ ...config, resource, sampling: readSampling(config.traceRatio) })
  await lendCalls(apm, composition)
  await ownLogFile(config, composition)
  const { createLogSink } = await implementations.logging[composition.logging]()
  const logging = await createLogging(createLogSink, { ...config, resource })
  const { logger } = logging
  const { createSerialization } = await implementations.serialization[composition.serialization]()
  const serialization = createSerialization()

  const { createCompute } = await implementations.compute[composition.compute]()
  const compute = instrumentTasks(await createCompute({ ...config, ...files, logger }), apm)

  const clientOptions = {
    url: config.ordersUrl,
    timeoutMs: Math.min(config.ordersTimeoutMs, config.requestTimeoutMs / 2),
    accept: serialization.upstreamType,
  }
  const client = createOrdersClient(clientOptions)
  const guard = guardUpstream(client, clientOptions.timeoutMs, logger)
  const { createUpstream } = await implementations.upstream[composition.upstream]()
  const others = { apm, logging, logger, serialization, compute, client, clientOptions }
  const upstream = await createUpstream({ ...config, ...files, ...others })
  if (composition.upstream === 'threads') guard.guardThreads(apm, upstream)

  const { createRendering } = await implementations.rendering[composition.rendering]()
  const upstreamType = serialization.upstreamType
  const rendering = await createRendering({ ...config, ...upstream, upstreamType })
  const { createHttpServer } = await implementations.framework[composition.framework]()
  return {
    apm,
    logging,
    serialization,
    compute,
    client,
    upstream,
    guard,
    rendering,
    createHttpServer,
    composition,
    /** Ends the work of all concerns. Logging is closed last, so that it gets the lines of all others. */
    async close() {
      await Promise.all([compute.close(), rendering.close(), client.close()])
      await turn()
      await apm.close()
      await logging.close()
    },
  }
}

export type Concerns = Awaited<ReturnType<typeof createConcerns>>
