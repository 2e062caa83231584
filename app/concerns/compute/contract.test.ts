import { implementations, namesOf } from '../../concerns.ts'
import type { ComputeModule } from './contract.ts'
import { testPool } from './pool-suite.fixture.ts'
import { type Start, testCompute } from './suite.fixture.ts'

/**
 * Implementations without a pool, and why: they have no queue, and no thread or process that could die or be ended
 * apart from the app. Their tasks run as soon as they are called, without a limit of time or memory.
 */
const poolless: Readonly<Record<string, string>> = { inline: 'the main thread computes at once' }

/** Implementations whose tasks run on other machines, and why they are left to tests of their own. */
const elsewhere: Readonly<Record<string, string>> = { nats: 'it needs a server of NATS and a worker' }

for (const name of namesOf('compute').filter(each => !(each in elsewhere))) {
  const { createCompute, unkept }: ComputeModule = await implementations.compute[name]()
  testCompute(name, createCompute as unknown as Start)
  if (!(name in poolless)) testPool(name, createCompute as unknown as Start, unkept)
}
