import { monotonicMs } from '../../lib/units.ts'
import { Problem } from '../problems.ts'

/**
 * Data that is late is replaced at the deadline of the page. A page that is not ready this time later is given up, because one
 * of its components waits for something else.
 */
export const GRACE_MS = 1000

/**
 * The value of upstream if it comes in time.
 * @param deadline milliseconds by the monotonic clock
 * @throws Problem UPSTREAM_TIMEOUT when it is late
 */
export function within<Value>(deadline: number, value: Promise<Value> | Value): Promise<Value> {
  if (!(value instanceof Promise)) return Promise.resolve(value)
  return new Promise((resolve, reject) => {
    const leftMs = Math.max(0, deadline - monotonicMs())
    const timer = setTimeout(() => reject(new Problem('UPSTREAM_TIMEOUT')), leftMs)
    value.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
