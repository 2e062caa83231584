import type { BurnInput } from './tasks.ts'

const LEAST_MS = 1
const TRIES = 200

/**
 * Finds how many iterations of a task take a microsecond on an undisturbed core: in the fastest of many tries, because
 * every disturbance makes a try slower.
 */
export function calibrate(task: (input: BurnInput) => unknown): number {
  const timeMs = (iterations: number) => {
    const startedAtMs = performance.now()
    task({ iterations, payload: '' })
    return performance.now() - startedAtMs
  }
  let iterations = 1
  while (timeMs(iterations) < LEAST_MS) iterations *= 2
  const fastestMs = Math.min(...Array.from({ length: TRIES }, () => timeMs(iterations)))
  return iterations / (fastestMs * 1000)
}
