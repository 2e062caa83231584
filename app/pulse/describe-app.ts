import { performance } from 'node:perf_hooks'
import type { AppDescription } from '../../apm-agent/live/pulse-protocol.ts'
import { type Composition, concerns } from '../concerns.ts'
import type { AppConfig } from '../config.ts'
import { place } from '../instances/instance.ts'
import { resource } from '../resource.ts'
import { findStepNumber, steps } from '../steps.ts'

/** Describes the running composition for the live page. */
export function describeApp(config: AppConfig, composition: Composition): AppDescription {
  const step = findStepNumber(composition)
  const changes = concerns.flatMap(concern => (config[concern] ? [`${concern}=${config[concern]}`] : []))
  return {
    instance: resource.instance,
    place,
    startedAtMs: performance.timeOrigin,
    step,
    name: steps.find(({ number }) => number === step)?.name ?? [config.step, ...changes].join('+'),
    composition,
    ladder: steps.map(({ number, name }) => `${number} ${name}`),
  }
}
