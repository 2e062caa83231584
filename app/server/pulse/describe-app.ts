import { performance } from 'node:perf_hooks'
import type { AppDescription } from '../../../apm-agent/live/pulse-protocol.ts'
import type { Composition } from '../../concerns.ts'
import { resource } from '../../context.ts'
import { findStepNumber, nameComposition, steps } from '../../steps.ts'
import { place } from '../instances/instance.ts'

/** Describes the running composition for the live page. */
export const describeApp = (composition: Composition): AppDescription => ({
  instance: resource.instance,
  place,
  startedAtMs: performance.timeOrigin,
  step: findStepNumber(composition),
  name: nameComposition(composition),
  composition,
  ladder: steps.map(({ number, name }) => `${number} ${name}`),
})
