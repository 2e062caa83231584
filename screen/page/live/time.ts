/** Minutes and seconds, such as `1:05`. */
export function formatAgo(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** An arrow key moves the cursor by the time that an update covers: the values beside it are of other requests. */
const STEP_SECONDS = 2

/**
 * The time to which a key moves the cursor; undefined for other keys and in an empty chart.
 * @param times the times of the chart, ascending
 * @param index the place of the cursor in `times`; absent while there is no cursor, which then begins at the end
 */
export function timeFor(key: string, times: ArrayLike<number>, index?: number | null): number | undefined {
  const [first, last] = [times[0], times[times.length - 1]]
  if (first === undefined || last === undefined) return undefined
  const present = times[index ?? -1]
  const within = (time: number) => Math.min(last, Math.max(first, time))
  if (key === 'Home') return first
  if (key === 'End') return last
  if (key === 'ArrowLeft') return present === undefined ? last : within(present - STEP_SECONDS)
  if (key === 'ArrowRight') return present === undefined ? last : within(present + STEP_SECONDS)
  return undefined
}
