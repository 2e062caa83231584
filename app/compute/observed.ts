import type { Apm } from '../apm/contract.ts'
import type { Compute } from './contract.ts'

/** Compute whose every task is recorded; the seam between the two concerns. */
export const observeTasks = (compute: Compute, apm: Apm): Compute => ({
  ...compute,
  run: (name, input, context) => apm.task(name, () => compute.run(name, input, context)),
})
