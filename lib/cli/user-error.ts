/** A mistake of the person who runs a command. It is shown as one line on stderr with exit code 1, without a stack. */
export class UserError extends Error {
  override name = 'UserError'
}
