import type { Logger } from '../app/logging/contract.ts'
import type { Gate } from '../app/overload/admission.ts'
import { Refusals } from '../app/overload/refusals.ts'

/** What a service needs that nobody overloads. */
export const admitAll = (logger: Logger): { gate: Gate; refusals: Refusals } => ({
  gate: { enter: () => undefined, leave() {} },
  refusals: new Refusals(logger),
})
