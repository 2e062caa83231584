import { lowerPriority } from '../../lib/os/lower-priority.ts'
import { refuseFailures, warnOfFailures } from './failures.ts'
import { startLoad } from './load.ts'
import { startLoadCommand } from './load-command.ts'
import type { Request } from './request.ts'

const LOAD_NICE = 10

/** How a service is loaded: with our requests, by a command of the user, or not from here. */
export interface Source {
  readonly loadWith?: string | undefined
  readonly connections: number
  readonly http2: boolean
  readonly unixSocket: string | undefined
  readonly acceptErrors: boolean
}

/** A load that runs. */
export interface Loading {
  /** Aborts when a command of the user fails. */
  readonly abort: AbortSignal
  /** @throws UserError when many requests have failed so far */
  check(): void
}

/**
 * Loads a service while `use` runs.
 * @param origin of the service; undefined if nothing is sent from here
 * @throws UserError when many requests fail, or the command of the user does; also the errors of `use`
 */
export async function withLoad<T>(
  { loadWith, http2: isHttp2, unixSocket: socketPath, acceptErrors, connections }: Source,
  origin: string | undefined,
  requests: readonly Request[],
  use: (load: Loading | undefined) => Promise<T>,
): Promise<T> {
  if (!loadWith && !origin) return use(undefined)
  // Where cores are few, the load must not keep the profiler from taking its samples.
  lowerPriority(LOAD_NICE)
  if (loadWith) {
    const load = startLoadCommand(loadWith)
    try {
      return await use({ abort: load.failed, check() {} })
    } finally {
      await load.stop()
    }
  }
  const load = startLoad({ origin: origin as string, isHttp2, socketPath }, requests, { connections })
  const check = () => {
    if (!acceptErrors) refuseFailures(load.figures())
  }
  try {
    const result = await use({ abort: new AbortController().signal, check })
    check()
    warnOfFailures(load.figures())
    return result
  } finally {
    await load.stop()
  }
}
