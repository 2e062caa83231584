import { implementations } from '../../concerns.ts'
import type { ComputeModule } from './contract.ts'
import { computesHere } from './here.fixture.ts'
import { testPool } from './pool-suite.fixture.ts'
import { type Start, testCompute } from './suite.fixture.ts'

/**
 * Implementations without a pool, and why: they have no queue, and no thread or process that could die or be ended
 * apart from the app. Their tasks run as soon as they are called, without a limit of time or memory.
 */
const poolless: Readonly<Record<string, string>> = { inline: 'the main thread computes at once' }

for (const name of computesHere) {
  const { createCompute, unkept }: ComputeModule = await implementations.compute[name]()
  testCompute(name, createCompute as unknown as Start)
  if (!(name in poolless)) testPool(name, createCompute as unknown as Start, unkept)
}
