import { join } from 'node:path'
import { createLogging } from './concerns/logging/logging.ts'
import { type Composition, implementations } from './concerns.ts'
import type { AppConfig } from './config.ts'
import { resource } from './resource.ts'

/** What workers and render threads load. */
const FILES = {
  tasksFile: join(import.meta.dirname, '../workers/tasks.ts'),
  rendererFile: join(import.meta.dirname, 'concerns/rendering/renderer.ts'),
}
/** The same, and what fault switches run there. */
const FAULTY_FILES = {
  tasksFile: join(import.meta.dirname, '../workers/tasks.faulty.ts'),
  rendererFile: join(import.meta.dirname, 'concerns/rendering/renderer.faulty.ts'),
}

/**
 * Starts the composition's concerns, all but the framework, which serves what is made of the others.
 * @throws UserError when log lines cannot be written where they should be
 */
export async function createConcerns(config: AppConfig, composition: Composition) {
  const { tasksFile, rendererFile } = config.faults ? FAULTY_FILES : FILES
  // Telemetry comes first: what it instruments must not be loaded yet.
  const { createApm } = await implementations.apm[composition.apm]()
  const apm = await createApm({ ...config, resource })
  const { createLogSink } = await implementations.logging[composition.logging]()
  const logging = await createLogging(createLogSink, { ...config, resource })
  const { createSerialization } = await implementations.serialization[composition.serialization]()
  const serialization = createSerialization()
  const { createCompute } = await implementations.compute[composition.compute]()
  const { answersFile } = serialization
  const compute = await createCompute({ ...config, tasksFile, answersFile, logger: logging.logger })
  const { createRendering } = await implementations.rendering[composition.rendering]()
  const rendering = await createRendering({ ...config, rendererFile })
  return { apm, logging, serialization, compute, rendering }
}
