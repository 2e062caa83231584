import { namesOf } from '../../concerns.ts'
import { testSerialization } from './suite.fixture.ts'

for (const name of namesOf('serialization')) testSerialization(name)
