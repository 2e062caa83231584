import { existsSync, realpathSync } from 'node:fs'
import { duration, integer, text, url } from '../../lib/cli/options.ts'
import { onStopRequested } from '../../lib/cli/stop-requested.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { findFreePort } from '../../lib/http/free-port.ts'
import { lowerPriority } from '../../lib/os/lower-priority.ts'
import { type LoadFigures, startLoad } from '../load/load.ts'
import { packageIn } from '../owners/files.ts'
import { clusterWorkers, handlesSigusr1 } from '../process/proc.ts'
import { startService } from '../process/start-service.ts'

const LOAD_NICE = 10

/** The options of commands that look at a service. */
export const subjectOptions = {
  attach: integer({ help: 'process id of a service that runs', min: 1, max: 2 ** 22 }),
  url: url({ help: 'load the service at this URL; without it, the service gets no load from here' }),
  connections: integer({ help: 'connections of the load', default: '10', min: 1, max: 10_000 }),
  readyMs: duration({ help: 'how long a command may take until it listens', default: '30s' }),
  concerns: text({
    help: 'table of concerns that adds to ours: { "logging": ["my-logger", "./src/log"] }',
    placeholder: 'FILE.json',
  }),
}

interface Chosen {
  readonly attach: number | undefined
  readonly url: string | undefined
  readonly connections: number
  readonly readyMs: number
}

/** The process that a command looks at. */
interface Subject {
  readonly pid: number
  readonly name: string
}

/**
 * Starts the command in `words`, or takes the process of `--attach`, and loads it while `use` runs, if there is a URL.
 * Afterwards it ends what it has started.
 * @throws UserError when neither or both are given; also the errors of `use`
 */
export async function withSubject<T>(
  { attach, url, connections, readyMs }: Chosen,
  words: readonly string[],
  abort: AbortSignal,
  use: (subject: Subject) => Promise<T>,
): Promise<T> {
  if ((attach === undefined) === (words.length === 0)) {
    throw new UserError('give a command after "--", or a process with --attach')
  }
  if (attach !== undefined) {
    return withLoad(url, connections, () => use({ pid: attach, name: `process ${attach}` }))
  }
  const port = url ? portOf(new URL(url)) : undefined
  // Its inspector takes a free port. The workers of a cluster take the ports after it, so it cannot be 0 for any.
  const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --inspect-port=${await findFreePort()}`.trim()
  const env = { ...process.env, NODE_OPTIONS }
  const service = await startService(words, { port, readyMs, env, isShown: true, abort })
  try {
    const pid = whoServes(service.pid)
    return await withLoad(url, connections, () => use({ pid, name: words.join(' ') }))
  } finally {
    await service.stop()
  }
}

/** The process that listens, or if that is the primary of a cluster, a worker. */
function whoServes(listener: number): number {
  const worker = clusterWorkers(listener).find(handlesSigusr1)
  if (worker === undefined) return listener
  process.stderr.write(
    `process ${listener} is the primary of a cluster: its worker ${worker} is watched instead\n`,
  )
  return worker
}

const portOf = ({ port, protocol }: URL) => Number(port || (protocol === 'https:' ? 443 : 80))

async function withLoad<T>(url: string | undefined, connections: number, use: () => Promise<T>): Promise<T> {
  // Where cores are few, the load must not keep the profiler from taking its samples.
  if (url) lowerPriority(LOAD_NICE)
  const load = url ? startLoad(url, { connections }) : undefined
  try {
    return await use()
  } finally {
    if (load) warnOfErrors(load.figures())
    await load?.stop()
  }
}

/** The time that a service spends on errors is not what the user wants to know. */
function warnOfErrors({ responses, errors }: LoadFigures): void {
  if (errors === 0) return
  process.stderr.write(
    `warning: ${errors} of ${errors + responses} requests failed or had a status of 400 or more: is the --url right?\n`,
  )
}

/** The package that a script is in; undefined for a script of the service's own. */
export function programOf(script: string): string | undefined {
  return existsSync(script) ? packageIn(realpathSync(script)) : undefined
}

/**
 * A signal that aborts on Ctrl-C and SIGTERM, and when nobody reads the output any more, as in `watch | head -1`. Its error
 * is one line. A second Ctrl-C ends this process, which may wait for a main thread that does not answer.
 */
export function abortOnStop(): AbortSignal {
  const controller = new AbortController()
  const stop = () => controller.abort(new UserError('stopped'))
  onStopRequested(stop, () => process.exit(130))
  for (const output of [process.stdout, process.stderr]) {
    output.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE') process.exitCode = 1
      stop()
    })
  }
  return controller.signal
}
