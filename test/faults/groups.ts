import { lastStep, type Step } from '../../app/steps.ts'
import { apmFaults } from './apm.ts'
import { chaosFaults } from './chaos.ts'
import { clusterFaults } from './cluster/faults.ts'
import { deathFaults } from './deaths.ts'
import type { Fault } from './fault.ts'
import { fileFaults } from './files.ts'
import { fuzzFaults } from './fuzz/fuzz.ts'
import { loggingFaults } from './logging.ts'
import { overloadFaults } from './overload.ts'
import { ownerFaults } from './owners.ts'
import { pauseFaults } from './pause.ts'
import { placeFaults } from './places.ts'
import { collectorFaults } from './real-collector.ts'
import { renderingFaults } from './rendering.ts'
import { shutdownFaults } from './shutdown.ts'
import { stageFaults } from './stage.ts'
import { startFaults } from './start.ts'
import { upstreamFaults } from './upstream.ts'
import { valueFaults } from './values.ts'

/** All faults, grouped by the concern that makes the promises. */
export const groups: Readonly<Record<string, readonly Fault[]>> = {
  logging: loggingFaults,
  deaths: deathFaults,
  files: fileFaults,
  owners: ownerFaults,
  values: valueFaults,
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

const onlyLast = (reason: string) => (step: Step) => (step === lastStep ? undefined : reason)

/** Says why a group is left out at a step; undefined if it is tried. Groups that are not here are tried at every step. */
export const leftOut: Readonly<Record<string, (step: Step) => string | undefined>> = {
  apm: ({ composition }) =>
    composition.apm === 'sidecar' ? undefined : 'the app has no connection for records, it exports by OTLP',
  start: onlyLast('the command line is the same at every step'),
  collector: onlyLast('it sends all three signals through apm-agent'),
  rendering: onlyLast('it tries bad pages at every step with render threads'),
  overload: onlyLast('its bars are those of the last step, and it compares all frameworks'),
  stage: onlyLast('it goes through all steps'),
}
