import { UserError } from '../lib/user-error.ts'

/** Replaces `--port` of a process in an error message by the option of the stack, such as `--orders-port`. */
export function nameFlagOfStack(error: Error, member: string): Error {
  if (!(error instanceof UserError)) return error
  return new UserError(error.message.replace(/(?<=with )--port$/, `--${member}-port`))
}
