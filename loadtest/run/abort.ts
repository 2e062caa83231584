import { onStopRequested } from '../../lib/stop-requested.ts'
import { UserError } from '../../lib/user-error.ts'

/** Raised when the load test should stop, so that whatever runs is ended in order. */
export function abortWhenAsked(): AbortSignal {
  const controller = new AbortController()
  onStopRequested(() => controller.abort(new UserError('interrupted')))
  return controller.signal
}
