import { goodputOf, shareOf, workerMicrosOf } from './published.ts'

/**
 * Predictions for the published run, as numbers or sums. A ratio is the value after the move over the value before.
 */
export const predictions = {
  /** The main-thread cost of a request at step 1 over that at step 0: compute leaves. */
  costWithoutCompute: 1 - shareOf('monolith', 'compute'),
  /** Goodput at step 1 over that at step 0: one worker, on a core of its own at best, does the tasks now. */
  goodputWithoutCompute: 1_000_000 / (workerMicrosOf('compute') as number) / goodputOf('monolith'),
  /** The concern that is worth most after compute has left. */
  next: 'apm',
  /** The main-thread cost at step 5 over that at step 4: apm leaves. */
  costWithoutApm: 1 - shareOf('logging', 'apm'),
  /** The main-thread cost at step 6 over that at step 5: rendering leaves. */
  costWithoutRendering: 1 - shareOf('apm', 'rendering'),
}
