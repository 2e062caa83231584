import { formatDuration } from '../../lib/units.ts'

/** @param becauseOf the reason why the run takes longer than was promised */
type Foresee = (lengthMs: number, becauseOf: string) => void

/**
 * Watches whether a run keeps its promise to end within a time.
 * @param promisedSeconds undefined when nothing was promised
 * @returns a function that takes the length that is foreseen now, and says once when it is too long
 */
export function watchPromise(promisedSeconds: number | undefined, say: (line: string) => void): Foresee {
  let isSettled = promisedSeconds === undefined
  return (lengthMs, becauseOf) => {
    if (isSettled || lengthMs <= (promisedSeconds as number) * 1000) return
    isSettled = true
    const length = formatDuration(lengthMs)
    say(`warning: this run takes about ${length}, not the ${promisedSeconds} s of --quick: ${becauseOf}\n`)
  }
}
