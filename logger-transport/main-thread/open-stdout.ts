import { constants, openSync } from 'node:fs'

/**
 * Opens stdout a second time, without blocking: a write to a full pipe then fails. Otherwise it would block a thread of
 * libuv's pool and keep the process from exiting. If the system does not allow this, stdout is used as it is.
 * @returns a file descriptor
 */
export function openWithoutBlocking(): number {
  try {
    return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return 1
  }
}
