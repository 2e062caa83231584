import { inspect } from 'node:util'
import type { SentError } from './tree-protocol.ts'

/** The reason why the rendering of a page is aborted at its deadline. */
export class LateError extends Error {
  override name = 'LateError'
}

/** Describes anything that was thrown, so that it can be sent. It never throws itself. */
export function describeError(thrown: unknown): SentError {
  try {
    const { message, statusCode, status } = Object(thrown) as Record<string, unknown>
    const stack = inspect(thrown)
    return {
      message: typeof message === 'string' ? message : stack,
      stack,
      statusCode: [statusCode, status].find(isErrorStatus) as number | undefined,
    }
  } catch {
    return { message: 'an error that cannot be shown', stack: undefined, statusCode: undefined }
  }
}

const isErrorStatus = (status: unknown) =>
  Number.isInteger(status) && Number(status) >= 400 && Number(status) < 600

/** The error that a `SentError` describes. */
export const toError = ({ message, stack, statusCode }: SentError): Error =>
  Object.assign(new Error(message), { stack: stack ?? message }, statusCode && { statusCode })
