import { namesOf } from '../../concerns.ts'
import { computesHere } from '../compute/here.fixture.ts'
import { testSerialization } from './suite.fixture.ts'

/** Implementations that run with every implementation of compute, and why; for the others one is enough. */
const withEveryCompute: Readonly<Record<string, string>> = { threads: 'compute makes the answers' }

for (const name of namesOf('serialization')) {
  const computes = name in withEveryCompute ? computesHere : computesHere.slice(0, 1)
  for (const compute of computes) testSerialization(name, compute)
}
