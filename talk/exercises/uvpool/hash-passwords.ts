/** Threads of libuv's pool that hashes may take; the pool has four, which the whole process shares. */
const MOST = 2

/** A slow call that takes a thread of libuv's pool, such as `scrypt`. */
export type Hash = (password: string) => Promise<string>

/** Limits a call to some threads of the pool. Calls that wait are first in, first out. */
export function limitHashes(hash: Hash, most = MOST): Hash {
  const waiting: (() => void)[] = []
  let running = 0
  return async password => {
    if (running === most) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push(resolve)
      await promise
    } else running++
    try {
      return await hash(password)
    } finally {
      // The place of this call is given to the next one, or becomes free.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
