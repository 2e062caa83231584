/** The only task of this measurement, in a file that every implementation of compute can load. */
export const tasks = { burn }

export interface BurnInput {
  readonly iterations: number
  /** Comes back unchanged: input and output of a task both have to cross. */
  readonly payload: string
}

/**
 * Does the same amount of work wherever it runs. It does not stop by a clock: a task that shares its core takes
 * longer.
 */
function burn({ iterations, payload }: BurnInput): string {
  if (work(iterations) === 0) throw new RangeError('odd numbers multiplied are never 0')
  return payload
}

const CHUNK = 1_000_000
const CHUNKS = 200

/**
 * Finds how many iterations take a microsecond on an undisturbed core: in the fastest of many tries, because every
 * disturbance makes a try slower.
 */
export function calibrate(): number {
  let fastestMs = Number.POSITIVE_INFINITY
  for (let chunk = 0; chunk < CHUNKS; chunk++) {
    const startedAtMs = performance.now()
    work(CHUNK)
    fastestMs = Math.min(fastestMs, performance.now() - startedAtMs)
  }
  return CHUNK / (fastestMs * 1000)
}

function work(iterations: number): number {
  let mixed = 1
  for (let index = 0; index < iterations; index++) mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1) | 1
  return mixed
}
