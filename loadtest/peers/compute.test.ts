import type { ComputeModule } from '../../app/concerns/compute/contract.ts'
import { testPool } from '../../app/concerns/compute/pool-suite.fixture.ts'
import { type Start, testCompute } from '../../app/concerns/compute/suite.fixture.ts'
import { peers } from './index.ts'
import { installed } from './install.ts'

/** Without its package a peer cannot even be loaded. */
const skip = installed() ? false : 'the peers are not installed; `npm run loadtest -- peers` does that'
const { known: _floor, ...pools } = peers.compute
for (const [name, load] of Object.entries(pools)) {
  const module: Partial<ComputeModule> = skip ? {} : await load()
  const create: Start = options => module.createCompute?.(options as never) as never
  testCompute(name, create, skip)
  testPool(name, create, module.unkept, skip)
}
