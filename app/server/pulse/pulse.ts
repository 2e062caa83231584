import { performance } from 'node:perf_hooks'
import type { AppDescription } from '../../../apm-agent/live/pulse-protocol.ts'
import type { Composition } from '../../concerns.ts'
import { resource } from '../../context.ts'
import { findStepNumber, nameComposition, steps } from '../../steps.ts'
import { place } from '../instances/instance.ts'
import { RequestMeter } from './request-meter.ts'
import { type PulseOptions, startPulse } from './send-pulses.ts'

interface Options extends Omit<PulseOptions, 'app' | 'meter'> {
  readonly composition: Composition
}

/** The figures of the live page, for a composition that has an apm-agent. They are sent between `start` and `close`. */
export function createPulse({ composition, ...options }: Options) {
  const meter = new RequestMeter()
  let close = () => {}
  return {
    /** Is told of each answered request. @param startedAtMs by `performance.now()` */
    record: (isGood: boolean, startedAtMs: number) => meter.record(isGood, startedAtMs),
    start() {
      close = startPulse({ ...options, meter, app: describeApp(composition) })
    },
    close: () => close(),
  }
}

/** Describes the running composition for the live page. */
const describeApp = (composition: Composition): AppDescription => ({
  instance: resource.instance,
  place,
  startedAtMs: performance.timeOrigin,
  step: findStepNumber(composition),
  name: nameComposition(composition),
  composition,
  ladder: steps.map(({ number, name }) => `${number} ${name}`),
})
