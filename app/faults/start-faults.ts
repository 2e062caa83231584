import { createFaultRoutes, type FaultRoutes } from './fault-routes.ts'
import { Faults } from './faults.ts'
import { randomToken } from './random-token.ts'
import { StackLink } from './stack-link.ts'
import type { Targets } from './switches.ts'

interface FaultSwitches extends Pick<Faults, 'readPulse' | 'close'> {
  readonly answer: FaultRoutes
}

/**
 * Starts the fault switches of this app. A token is made if none is given; in both cases it is printed for the
 * operator.
 */
export function startFaults(targets: Omit<Targets, 'stack'>, token = randomToken()): FaultSwitches {
  const faults = new Faults({ ...targets, stack: new StackLink() })
  process.stderr.write(`app: fault switches are on: npm run fault -- --fault-token ${token}\n`)
  return {
    answer: createFaultRoutes(faults, token),
    readPulse: () => faults.readPulse(),
    close: () => faults.close(),
  }
}
