import { type Concern, implementations } from '../../app/concerns.ts'
import { peers } from './index.ts'

// `node --import` runs this before the app reads its options, which then take the names of the peers.
for (const [concern, modules] of Object.entries(peers))
  Object.assign(implementations[concern as Concern], modules)
