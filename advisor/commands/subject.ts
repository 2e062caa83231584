import { existsSync, realpathSync } from 'node:fs'
import { onStopRequested } from '../../lib/cli/command.ts'
import { duration, integer, text, toggle, url, type Values } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { findFreePort } from '../../lib/http/listen.ts'
import { pause } from '../../loadtest/generator/load.ts'
import { createConcernOf } from '../concerns/concerns.ts'
import { type Loading, startLoading } from '../load/loading.ts'
import { loadOptions, requestsOf } from '../load/options.ts'
import { packageIn } from '../owners/files.ts'
import { createFindOwner } from '../owners/owner-of.ts'
import { clusterWorkers, handlesSigusr1, isRunning, rootOf } from '../process/proc.ts'
import { type Service, startService } from '../process/start-service.ts'
import type { Attribution } from '../spectrum/spectrum.ts'
import { type Watched, watchProcess } from '../watching/watch-process.ts'

/** The options of commands that look at a service. */
export const subjectOptions = {
  attach: integer({ help: 'process id of a service that runs', min: 1, max: 2 ** 22 }),
  url: {
    ...url({ help: 'load the service at this URL; without it, the service gets no load from here' }),
    expected: 'a URL such as http://127.0.0.1:3001 (a service of another protocol needs --load-with)',
  },
  ...loadOptions,
  readyMs: duration({ help: 'how long a command may take until it listens', default: '30s' }),
  keepCode: toggle({
    help: 'do not make V8 optimize all code anew, which takes a pause: before Node.js 26, inlined functions then count for their callers',
  }),
  keepScheduling: toggle({
    help: 'do not let its main thread, and the thread that takes samples, run before other programs during a profile (SCHED_FIFO, which only root can set)',
  }),
  warmupMs: duration({ help: 'time under load before anything is measured', default: '5s' }),
  concerns: text({
    help: 'table of concerns that adds to ours: { "logging": ["my-logger", "./src/log"] }',
    placeholder: 'FILE.json',
  }),
}

type Chosen = Values<typeof subjectOptions>

/** A process that is watched, and whose functions can be told apart. */
export interface WatchedSubject extends Watched {
  readonly pid: number
  readonly name: string
  readonly attribution: Attribution
}

/**
 * Starts the command in `words`, or takes the process of `--attach`, and loads and watches it while `use` runs. Afterwards it ends
 * what it has started.
 * @throws UserError when neither or both are given, its load fails, or it cannot be watched; also the errors of `use`
 */
export async function withWatched<T>(
  chosen: Chosen,
  words: readonly string[],
  abort: AbortSignal,
  use: (subject: WatchedSubject) => Promise<T>,
): Promise<T> {
  const { attach, concerns, keepCode: keepsCode, keepScheduling: keepsScheduling } = chosen
  if ((attach === undefined) === (words.length === 0))
    throw new UserError('give a command after "--", or a process with --attach')
  // A wrong table is reported before anything is started.
  createConcernOf(concerns)
  const url = urlOf(chosen)
  const requests = url ? requestsOf(chosen, url.pathname + url.search) : []
  const { pid, stop } =
    attach === undefined ? await start(words, chosen, url, abort) : { pid: attach, async stop() {} }
  let load: Loading | undefined
  try {
    load = startLoading(chosen, url?.origin, requests)
    const ends = AbortSignal.any([abort, ...(load?.failed ? [load.failed] : [])])
    // Worker threads that start under load have to be there when watching begins.
    if (load) await pause(chosen.warmupMs, ends)
    if (isRunning(pid)) load?.check()
    const name = attach === undefined ? words.join(' ') : `process ${attach}`
    const tellApart = (watched: Watched) => ({
      findOwner: createFindOwner(watched.directory, rootOf(pid)),
      concernOf: createConcernOf(concerns, programOf(watched.script)),
    })
    const answer = await watchProcess(
      pid,
      ends,
      watched => use({ pid, name, ...watched, attribution: tellApart(watched) }),
      { keepsCode, keepsScheduling },
    )
    const failures = load?.check()
    if (failures) process.stderr.write(`warning: ${failures}\n`)
    return answer
  } finally {
    await load?.stop()
    await stop()
  }
}

/** The package that a script is in; undefined for a script of the service's own. */
const programOf = (script: string) => (existsSync(script) ? packageIn(realpathSync(script)) : undefined)

/** Starts a command that serves. Of a cluster, a worker is taken. */
async function start(
  words: readonly string[],
  { readyMs }: Chosen,
  url: URL | undefined,
  abort: AbortSignal,
): Promise<Service> {
  // Its inspector takes a free port. The workers of a cluster take the ports after it, so it cannot be 0 for any.
  const NODE_OPTIONS =
    `${process.env.NODE_OPTIONS ?? ''} --inspect-port=${await findFreePort()} --inspect-publish-uid=http`.trim()
  const env = { ...process.env, NODE_OPTIONS }
  const port = url && Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const service = await startService(words, { port, readyMs, env, stderr: 'inherit', abort })
  const worker = clusterWorkers(service.pid).find(handlesSigusr1)
  if (worker === undefined) return service
  process.stderr.write(
    `process ${service.pid} is the primary of a cluster: its worker ${worker} is watched instead\n`,
  )
  return { ...service, pid: worker }
}

/** @throws UserError when there is something to send, and nothing says where */
function urlOf(chosen: Chosen): URL | undefined {
  const { url, loadWith } = chosen
  if (url && loadWith) throw new UserError('give --url, or --load-with and no --url')
  if (url) return new URL(url)
  if (chosen.requests ?? chosen.method ?? chosen.header ?? chosen.body ?? chosen.bodyFile) {
    throw new UserError('--url says where to send the requests, such as --url http://127.0.0.1:3000/')
  }
  return undefined
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
