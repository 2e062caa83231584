import { constants, openSync } from 'node:fs'

/**
 * Stdout, opened anew so that a write to a full pipe fails instead of blocking a thread of libuv's pool, which would
 * keep the process from exiting. Where the system does not allow that, stdout as it is.
 */
export function openWithoutBlocking(): number {
  try {
    return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return 1
  }
}
