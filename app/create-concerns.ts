import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { DEFAULT_OTLP_URL, otlpUrl, readSampling, type Signal } from '../lib/telemetry/otel-environment.ts'
import { chooseFetching, chooseMaker, makerFile } from './answers/makers.ts'
import type { MakerData } from './answers/protocol.ts'
import type { ComputeModule } from './concerns/compute/contract.ts'
import { createLogging } from './concerns/logging/logging.ts'
import { circuitPoints } from './concerns/upstream/circuit-breaker.ts'
import { type Composition, implementations } from './concerns.ts'
import type { AppConfig } from './config.ts'
import { faultyFiles } from './faulty-files.ts'
import { resource } from './resource.ts'

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
  const { createLogSink } = await implementations.logging[composition.logging]()
  const logging = await createLogging(createLogSink, { ...config, resource })
  const { createSerialization } = await implementations.serialization[composition.serialization]()
  const serialization = createSerialization()
  const { createUpstream } = await implementations.upstream[composition.upstream]()
  const upstream = createUpstream({
    url: config.ordersUrl,
    timeoutMs: Math.min(config.ordersTimeoutMs, config.requestTimeoutMs / 2),
    accept: serialization.upstreamType,
    apm,
    onCircuitChange: (operation, state) =>
      logging.logger.warn(`the circuit breaker of ${operation} is ${state}`),
  })
  apm.watch(async () => circuitPoints(upstream.circuits))
  const { createCompute, canFetch = false }: ComputeModule =
    await implementations.compute[composition.compute]()
  const { inThreads } = upstream
  const maker = chooseMaker(serialization, upstream, canFetch)
  const compute = await createCompute({
    ...config,
    tasksFile,
    answersFile: makerFile(maker),
    answersData:
      inThreads &&
      ({
        serialization: composition.serialization,
        upstream: inThreads.data,
        logging: logging.inThreads,
      } satisfies MakerData),
    logger: logging.logger,
  })
  const { createRendering } = await implementations.rendering[composition.rendering]()
  const rendering = await createRendering({
    ...config,
    pageFile,
    upstream,
    upstreamType: serialization.upstreamType,
    fetching: await chooseFetching(upstream, pageFile),
  })
  return {
    apm,
    logging,
    serialization,
    upstream,
    compute,
    maker,
    rendering,
    /** Ends the work of all concerns. Logging is closed last, so that it gets the lines of all others. */
    async close() {
      await Promise.all([compute.close(), rendering.close(), upstream.close()])
      await turn()
      await apm.close()
      await logging.close()
    },
  }
}

/** The URL to which an implementation in this process exports a signal. */
const receiverOf = (signal: Signal, config: AppConfig): string =>
  otlpUrl(signal, config.otlpUrl) ?? (otlpUrl(signal, DEFAULT_OTLP_URL) as string)
