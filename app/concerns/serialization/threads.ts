import { join } from 'node:path'
import { createSerialization as createCompiled } from './compiled.ts'
import type { CreateSerialization } from './contract.ts'

/** What `compiled` does, done by what computes: the main thread passes bytes, from upstream and to the client. */
export const createSerialization: CreateSerialization = () => ({
  ...createCompiled(),
  answersFile: join(import.meta.dirname, 'answers-in-workers.ts'),
})
