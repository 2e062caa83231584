import { existsSync, realpathSync } from 'node:fs'
import { duration, integer, text, toggle, url } from '../../lib/cli/options.ts'
import { onStopRequested } from '../../lib/cli/stop-requested.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { findFreePort } from '../../lib/http/free-port.ts'
import { listensAt, locate, portOf } from '../load/locate.ts'
import { type Asked, requestOptions, requestsOf } from '../load/options.ts'
import { type Loading, type Source, withLoad } from '../load/with-load.ts'
import { packageIn } from '../owners/files.ts'
import { clusterWorkers, handlesSigusr1 } from '../process/proc.ts'
import { startService } from '../process/start-service.ts'

/** The options of commands that look at a service. */
export const subjectOptions = {
  attach: integer({ help: 'process id of a service that runs', min: 1, max: 2 ** 22 }),
  url: {
    ...url({ help: 'load the service at this URL; without it, the service gets no load from here' }),
    expected: 'a URL such as http://127.0.0.1:3001 (a service of another protocol needs --load-with)',
  },
  ...requestOptions,
  unixSocket: text({ help: 'Unix socket on which the service listens', placeholder: 'PATH' }),
  loadWith: text({
    help: "load it with a command of yours, such as 'npx autocannon …' for WebSocket; it is repeated until the end",
    placeholder: 'COMMAND',
  }),
  readyMs: duration({ help: 'how long a command may take until it listens', default: '30s' }),
  keepCode: toggle({
    help: 'do not make V8 optimize all code anew, which takes a pause: before Node.js 26, inlined functions then count for who called them',
  }),
  concerns: text({
    help: 'table of concerns that adds to ours: { "logging": ["my-logger", "./src/log"] }',
    placeholder: 'FILE.json',
  }),
}

export interface Chosen extends Asked, Source {
  readonly attach?: number | undefined
  readonly url: string | undefined
  readonly readyMs: number
}

/** The process that a command looks at. */
export interface Subject {
  readonly pid: number
  readonly name: string
  /** Its load; undefined if there is none from here. */
  readonly load: Loading | undefined
  /** Aborts as the command does, and when the load fails. */
  readonly abort: AbortSignal
}

/**
 * Starts the command in `words`, or takes the process of `--attach`, and loads it while `use` runs, if there is a URL.
 * Afterwards it ends what it has started.
 * @throws UserError when neither or both are given, or its load fails; also the errors of `use`
 */
export async function withSubject<T>(
  chosen: Chosen,
  words: readonly string[],
  abort: AbortSignal,
  use: (subject: Subject) => Promise<T>,
): Promise<T> {
  const { attach, readyMs, unixSocket } = chosen
  if ((attach === undefined) === (words.length === 0)) {
    throw new UserError('give a command after "--", or a process with --attach')
  }
  const url = urlOf(chosen)
  const requests = url ? requestsOf(chosen, url.pathname + url.search) : []
  const load = (origin: string | undefined, pid: number, name: string) =>
    withLoad(chosen, origin, requests, loading =>
      use({ pid, name, load: loading, abort: AbortSignal.any([abort, ...(loading ? [loading.abort] : [])]) }),
    )
  if (attach !== undefined) {
    return load(url && locate(url, listensAt(attach, url)), attach, `process ${attach}`)
  }
  // Its inspector takes a free port. The workers of a cluster take the ports after it, so it cannot be 0 for any.
  const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --inspect-port=${await findFreePort()}`.trim()
  const env = { ...process.env, NODE_OPTIONS }
  const expected = { port: unixSocket ? undefined : url && portOf(url), socketPath: unixSocket }
  const service = await startService(words, { ...expected, readyMs, env, stderr: 'pipe', abort })
  try {
    return await load(url && locate(url, service.address), whoServes(service.pid), words.join(' '))
  } finally {
    await service.stop()
  }
}

/** @throws UserError when there is something to send, and nothing says where */
function urlOf({
  url,
  unixSocket,
  requests,
  method,
  header,
  body,
  bodyFile,
  loadWith,
}: Chosen): URL | undefined {
  if (url && loadWith) throw new UserError('give --url, or --load-with and no --url')
  if (url) return new URL(url)
  if (unixSocket) return new URL('http://localhost/')
  if (requests ?? method ?? header ?? body ?? bodyFile) {
    throw new UserError('--url says where to send the requests, such as --url http://127.0.0.1:3000/')
  }
  return undefined
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
