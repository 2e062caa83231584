import { inspect } from 'node:util'
import type { RenderError } from './render-error.ts'
import type { PageRequest } from './renderer-types.ts'

/** Emits a warning with the error, its stack and its components, for a service that gives no function for that. */
export function tellError(
  { name, code, message, cause, componentStack, causedBy }: RenderError,
  { url }: PageRequest,
): void {
  const detail = [
    cause !== undefined && inspect(cause),
    componentStack && `Components:${componentStack}`,
    causedBy !== undefined && causedBy !== url && `The thread was ended by the page ${causedBy}.`,
  ]
  process.emitWarning(`page ${url}: ${message}`, {
    type: name,
    code,
    detail: detail.filter(Boolean).join('\n'),
  })
}

/** Emits a warning with the error that ended a thread, if no page has it, because all of them are made again. */
export function tellOfThread(error: Error, causedBy: string | undefined): void {
  process.emitWarning(
    `a render thread ended${causedBy === undefined ? '' : ` by the page ${causedBy}`}; its pages are made again`,
    { type: 'RenderError', code: 'THREAD_DIED', detail: inspect(error) },
  )
}
