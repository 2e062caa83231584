import { createFaultRoutes, type FaultRoutes } from './fault-routes.ts'
import { Faults } from './faults.ts'
import { randomToken } from './random-token.ts'
import { StackLink } from './stack-link.ts'
import type { Targets } from './switches.ts'

interface FaultSwitches extends Pick<Faults, 'readPulse' | 'close'> {
  readonly answer: FaultRoutes
}

/** The fault switches of this app. Where no token is given, one is made; either is printed, for whoever operates this. */
export function startFaults(targets: Omit<Targets, 'stack'>, token = randomToken()): FaultSwitches {
  const faults = new Faults({ ...targets, stack: new StackLink() })
  process.stderr.write(`app: fault switches are on: npm run fault -- --fault-token ${token}\n`)
  return {
    answer: createFaultRoutes(faults, token),
    readPulse: () => faults.readPulse(),
    close: () => faults.close(),
  }
}
