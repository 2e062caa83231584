import { type ChildProcess, spawn } from 'node:child_process'
import type { Values } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { lowerPriority } from '../../lib/os/process.ts'
import { endGroup } from '../process/start-service.ts'
import { describeFailures, Load, refuseFailures } from './load.ts'
import type { loadOptions } from './options.ts'
import type { Request } from './requests.ts'

/** A load that runs. */
export interface Loading {
  /** Aborts when a command of the user fails. */
  readonly failed?: AbortSignal
  /** @returns the failures so far, in words. @throws UserError when they are many, and are not accepted */
  check(): string | undefined
  /** Ends the load. */
  stop(): Promise<void>
}

/** Begins to load a service, with our requests or by a command of the user; undefined if there is neither. */
export function startLoading(
  { loadWith, acceptErrors, connections }: Values<typeof loadOptions>,
  origin: string | undefined,
  requests: readonly Request[],
): Loading | undefined {
  if (!loadWith && !origin) return undefined
  // Where cores are few, the load must not keep the profiler from taking its samples, which root can let run first.
  if (process.getuid?.() !== 0) lowerPriority(10)
  if (loadWith) return startCommand(loadWith)
  const load = new Load(origin as string, requests, connections)
  load.resume()
  return {
    check() {
      if (!acceptErrors) refuseFailures(load.figures())
      return describeFailures(load.figures())
    },
    stop: () => load.stop(),
  }
}

/** Starts a command of the user, again and again until `stop`. @param command for the shell; its output is dropped */
function startCommand(command: string): Loading {
  const controller = new AbortController()
  const fail = (what: string) => controller.abort(new UserError(`--load-with ${what}: ${command}`))
  let isStopping = false
  let child: ChildProcess
  const start = () => {
    child = spawn('sh', ['-c', command], { stdio: 'ignore', detached: true })
    child.on('error', error => fail(`cannot be started (${error.message})`))
    child.on('exit', (code, signal) => {
      if (isStopping) return
      if (code === 0) start()
      else fail(`failed (${signal ?? `exit code ${code}`})`)
    })
  }
  start()
  return {
    failed: controller.signal,
    check: () => undefined,
    async stop() {
      isStopping = true
      await endGroup(child)
    },
  }
}
