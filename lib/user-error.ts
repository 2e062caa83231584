/** A mistake of the person who runs a command: one line on stderr and exit code 1, no stack. */
export class UserError extends Error {
  override name = 'UserError'
}
