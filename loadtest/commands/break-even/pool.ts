import type { Compute } from '../../../app/concerns/compute/contract.ts'

/** An implementation of compute that is measured. */
export interface Pool extends Compute {
  /**
   * Starts to watch the server between this process and its workers; absent if there is none.
   * @returns a function that reads its CPU microseconds since then; 0 on systems without /proc
   */
  watchServer?(): () => number
}
