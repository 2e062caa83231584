import { namesOf } from '../../concerns.ts'
import { testRendering, testSamePage } from './suite.fixture.ts'

const names = namesOf('rendering')
testSamePage(names)
for (const name of names) testRendering(name)
