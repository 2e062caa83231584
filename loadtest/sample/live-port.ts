import { findFreePort } from '../../lib/http/free-port.ts'

let port: Promise<number> | undefined

/** The port of the live page: each sample has an apm-agent of its own, and all show their page at this port. */
export function findLivePort(): Promise<number> {
  port ??= findFreePort()
  return port
}
