import { isNeeded } from '../../concerns.ts'
import type { Extra, ExtraContext } from '../extra.ts'
import { describeApp } from './describe-app.ts'
import { RequestMeter } from './request-meter.ts'
import { startPulse } from './send-pulses.ts'

/** The figures of the live page, for compositions that have an apm-agent. */
export function createExtra(app: ExtraContext, others: readonly Extra[]): Extra | undefined {
  if (!isNeeded('apm-agent', app.composition)) return undefined
  const meter = new RequestMeter()
  let stop = () => {}
  return {
    record: (isGood, startedAtMs) => meter.record(isGood, startedAtMs),
    listening() {
      stop = startPulse({
        app: describeApp(app.composition),
        apmSocket: app.config.apmSocket,
        meter,
        pools: app.pools,
        readCounts: app.readCounts,
        readFaults: () => others.flatMap(extra => extra.readFaults?.() ?? []),
      })
    },
    close: () => stop(),
  }
}
