import { UserError } from '../lib/user-error.ts'

/** Raised on Ctrl-C or SIGTERM, so that whatever runs is stopped in order. */
export function abortOnSignal(): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(new UserError('interrupted; the samples taken so far are saved'))
  process.on('SIGINT', abort)
  process.on('SIGTERM', abort)
  return controller.signal
}
