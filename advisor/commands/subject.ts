import { onStopRequested } from '../../lib/stop-requested.ts'
import { UserError } from '../../lib/user-error.ts'
import { startService } from '../process/start-service.ts'

/** The process that a command looks at. */
export interface Subject {
  readonly pid: number
  readonly name: string
}

interface Chosen {
  readonly attach: number | undefined
  readonly url: string | undefined
  readonly readyMs: number
}

/**
 * Starts the command in `words`, or takes the process of `--attach`, and ends what it has started after `use`.
 * @throws UserError when neither or both are given; also the errors of `use`
 */
export async function withSubject<T>(
  { attach, url, readyMs }: Chosen,
  words: readonly string[],
  abort: AbortSignal,
  use: (subject: Subject) => Promise<T>,
): Promise<T> {
  if ((attach === undefined) === (words.length === 0)) {
    throw new UserError('give a command after "--", or a process with --attach; --help has examples')
  }
  if (attach !== undefined) return use({ pid: attach, name: `process ${attach}` })
  const port = url ? Number(new URL(url).port || 80) : undefined
  // The inspector of a service that is started here takes any free port.
  const env = { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --inspect-port=0`.trim() }
  const service = await startService(words, { port, readyMs, env, isShown: true, abort })
  try {
    return await use({ pid: service.pid, name: words.join(' ') })
  } finally {
    await service.stop()
  }
}

/** A signal that aborts on Ctrl-C and SIGTERM. Its error is one line. */
export function abortOnStop(): AbortSignal {
  const controller = new AbortController()
  onStopRequested(() => controller.abort(new UserError('stopped')))
  return controller.signal
}
