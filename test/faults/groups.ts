import { apmFaults } from './apm.ts'
import { chaosFaults } from './chaos.ts'
import { clusterFaults } from './cluster/faults.ts'
import { collectorFaults } from './collector/faults.ts'
import { deathFaults } from './deaths.ts'
import type { Fault } from './fault.ts'
import { fileFaults } from './files.ts'
import { fuzzFaults } from './fuzz/fuzz.ts'
import { loggingFaults } from './logging.ts'
import { overloadFaults } from './overload.ts'
import { ownerFaults } from './owners.ts'
import { pauseFaults } from './pause.ts'
import { placeFaults } from './places.ts'
import { renderingFaults } from './rendering.ts'
import { shutdownFaults } from './shutdown.ts'
import { stageFaults } from './stage.ts'
import { startFaults } from './start.ts'
import { stopFaults } from './stops.ts'
import { upstreamFaults } from './upstream.ts'
import { valueFaults } from './values.ts'

/** All faults, grouped by the concern that makes the promises. */
export const groups: Readonly<Record<string, readonly Fault[]>> = {
  logging: loggingFaults,
  deaths: deathFaults,
  files: fileFaults,
  owners: ownerFaults,
  values: valueFaults,
  stops: stopFaults,
  places: placeFaults,
  pause: pauseFaults,
  apm: apmFaults,
  collector: collectorFaults,
  rendering: renderingFaults,
  upstream: upstreamFaults,
  overload: overloadFaults,
  fuzz: fuzzFaults,
  start: startFaults,
  shutdown: shutdownFaults,
  stage: stageFaults,
  cluster: clusterFaults,
  chaos: chaosFaults,
}
