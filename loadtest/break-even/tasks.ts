/** The one task of this measurement, in a file that every implementation of compute can load. */
export const tasks = { burn }

export interface BurnInput {
  readonly iterations: number
  /** Comes back as it is: what a task takes and gives has to cross twice. */
  readonly payload: string
}

/** Does the same work wherever it runs. It does not read a clock: one that works beside others takes its time. */
function burn({ iterations, payload }: BurnInput): string {
  if (work(iterations) === 0) throw new RangeError('odd numbers multiplied are never 0')
  return payload
}

const CHUNK = 1_000_000
const CHUNKS = 200

/**
 * How much of this work is a microsecond of an undisturbed core: by the fastest of many tries, for whatever disturbs
 * makes them slower.
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
