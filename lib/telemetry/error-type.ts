/** The value of `error.type` in the semantic conventions of OpenTelemetry: a class of errors, never their message. */
export const errorTypeOf = (error: Error): string =>
  String((error as NodeJS.ErrnoException).code ?? error.name)
