import { UserError } from '../lib/cli/user-error.ts'

/** Replaces `--port` of a process in an error message by the option of the stack, such as `--orders-port`. */
export function nameFlagOfStack(error: unknown, member: string): unknown {
  // The option of the app has the same name as that of the stack.
  if (!(error instanceof UserError) || member === 'app') return error
  return new UserError(error.message.replace(/(?<=with )--port$/, `--${member}-port`))
}
