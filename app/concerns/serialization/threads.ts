import { createSerialization as createCompiled } from './compiled.ts'
import type { CreateSerialization } from './contract.ts'

/**
 * Does the work of `compiled` where tasks run. The main thread only passes bytes on, from upstream and to the client.
 */
export const createSerialization: CreateSerialization = () => ({ ...createCompiled(), byWorkers: true })
