import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { DEFAULT_OTLP_URL, otlpUrl, readSampling, type Signal } from '../lib/telemetry/otel-environment.ts'
import { createLogging } from './concerns/logging/logging.ts'
import { createOrdersClient } from './concerns/upstream/orders-client.ts'
import { type Composition, implementations } from './concerns.ts'
import type { AppConfig } from './config.ts'
import { faultyFiles } from './faulty-files.ts'
import { instrumentTasks } from './instrument-tasks.ts'
import { lenders } from './lenders.ts'
import { resource } from './resource.ts'
import { guardUpstream } from './server/overload/upstream-guard.ts'

/** The files that workers and render threads load. */
const FILES = {
  tasksFile: join(import.meta.dirname, '../workers/tasks.ts'),
  pageFile: join(import.meta.dirname, 'pages/page.ts'),
}

/**
 * Starts all concerns of the composition except the framework, which needs the service that is built from the others.
 * @throws UserError when the destination of log lines cannot be written
 */
export async function createConcerns(config: AppConfig, composition: Composition) {
  const { tasksFile, pageFile } = (config.faults && (await faultyFiles.faults?.())) || FILES
  // Telemetry starts first, because it must patch libraries before they are loaded.
  const { createApm } = await implementations.apm[composition.apm]()
  const apm = await createApm({
    ...config,
    resource,
    otlpUrls: { traces: receiverOf('traces', config), metrics: receiverOf('metrics', config) },
    sampling: readSampling(config.traceRatio),
  })
  const lender = composition.upstream === 'threads' ? await lenders[composition.apm]?.() : undefined
  if (lender) Object.assign(apm, { calls: lender.recordCalls() })
  const { createLogSink } = await implementations.logging[composition.logging]()
  const logging = await createLogging(createLogSink, { ...config, resource })
  const { createSerialization } = await implementations.serialization[composition.serialization]()
  const serialization = createSerialization()
  const { createCompute } = await implementations.compute[composition.compute]()
  const compute = instrumentTasks(await createCompute({ ...config, tasksFile, logger: logging.logger }), apm)
  const clientOptions = {
    url: config.ordersUrl,
    timeoutMs: Math.min(config.ordersTimeoutMs, config.requestTimeoutMs / 2),
    accept: serialization.upstreamType,
  }
  const client = createOrdersClient(clientOptions)
  const guard = guardUpstream(client, clientOptions.timeoutMs, logging.logger)
  apm.watch(guard.readPoints)
  const { createUpstream } = await implementations.upstream[composition.upstream]()
  const upstream = await createUpstream({
    ...config,
    apm,
    logging,
    logger: logging.logger,
    serialization,
    serializationFile: join(import.meta.dirname, `concerns/serialization/${composition.serialization}.ts`),
    compute,
    client,
    clientOptions,
    pageFile,
  })
  guard.guardThreads(upstream)
  const { createRendering } = await implementations.rendering[composition.rendering]()
  const rendering = await createRendering({
    ...config,
    page: upstream.page,
    upstreamType: serialization.upstreamType,
  })
  return {
    apm,
    logging,
    serialization,
    client,
    upstream,
    guard,
    compute,
    rendering,
    /** Ends the work of all concerns. Logging is closed last, so that it gets the lines of all others. */
    async close() {
      await Promise.all([compute.close(), rendering.close(), client.close()])
      await turn()
      await apm.close()
      await logging.close()
    },
  }
}

/** The URL to which an implementation in this process exports a signal. */
const receiverOf = (signal: Signal, config: AppConfig): string =>
  otlpUrl(signal, config.otlpUrl) ?? (otlpUrl(signal, DEFAULT_OTLP_URL) as string)
