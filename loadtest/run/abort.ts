import { onStopRequested } from '../../lib/cli/stop-requested.ts'
import { UserError } from '../../lib/cli/user-error.ts'

/** A signal that is aborted when the load test should stop, so that it can end its processes in order. */
export function abortWhenAsked(): AbortSignal {
  const controller = new AbortController()
  onStopRequested(() => controller.abort(new UserError('interrupted')))
  return controller.signal
}
