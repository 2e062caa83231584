/** The possible ends of a scale, times a power of ten, each with the number of its divisions. */
const scales = [
  [1, 2],
  [1.5, 3],
  [2, 2],
  [3, 3],
  [4, 2],
  [5, 2],
  [6, 3],
  [8, 2],
  [10, 2],
] as const

/** The end of a scale that contains `value`, and the number of its divisions. */
export const scaleOf = (value: number) => {
  const power = 10 ** Math.floor(Math.log10(value))
  const [factor, parts] = scales.find(([each]) => each * power >= value * (1 - 1e-9)) ?? [10, 2]
  return { max: factor * power, parts }
}

/** The end of a scale that contains `value`. */
export const niceMax = (value: number | null): number => (value ? scaleOf(value).max : 1)
