import { watchMachine } from '../../loadtest/sample/machine.ts'
import { findNoise } from '../../loadtest/sample/validity.ts'

const INTERVAL_MS = 5000

/**
 * Says how neighbours on the machine disturb what is shown, by the rule of the load test.
 * @param app the process id of the app; undefined while it is being replaced
 * @param onChange gets the reason in words, or null when neighbours disturb no more
 * @returns a function that stops it
 */
export function watchNeighbours(
  app: () => number | undefined,
  onChange: (reason: string | null) => void,
): () => void {
  const begin = () => {
    const pid = app()
    return { pid, read: watchMachine(pid === undefined ? [] : [pid]) }
  }
  let watched = begin()
  let last: string | null = null
  const timer = setInterval(() => {
    const { pid, read } = watched
    // The waits of an app that has ended are not known any more.
    const reason = pid === app() ? (findNoise(read())?.reason ?? null) : last
    if (reason !== last) onChange(reason)
    last = reason
    watched = begin()
  }, INTERVAL_MS)
  return () => clearInterval(timer)
}
