/** The task whose length is exact, in a file that every implementation of compute can load. */
export const tasks = { burn }

export interface BurnInput {
  readonly iterations: number
  /** Comes back unchanged: input and output of a task both have to cross. */
  readonly payload: string
}

/** Does the same work wherever it runs. It does not stop by a clock: a task that shares its core takes longer. */
function burn({ iterations, payload }: BurnInput): string {
  let mixed = 1
  for (let index = 0; index < iterations; index++) mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1) | 1
  if (mixed === 0) throw new RangeError('odd numbers multiplied are never 0')
  return payload
}
