import { isThenable, stackOf } from '../threads/thrown.ts'

const told = new Set<string>()

/** Emits a warning, once for each code: what is wrong with each message would otherwise be told for each. */
export function warnOnce(code: string, message: string): void {
  if (told.has(code)) return
  told.add(code)
  process.emitWarning(message, { code })
}

/**
 * A function of the user that others call, such as a listener. What it throws, or its promise rejects with, is a warning:
 * it ends neither the process nor the request for which it was called.
 * @param name the name of the option, for the warning
 */
export function guarded<Args extends readonly unknown[]>(
  name: string,
  call: (...args: Args) => unknown,
): (...args: Args) => void {
  const warn = (thrown: unknown) =>
    process.emitWarning(`${name} threw ${stackOf(thrown)}`, { code: 'CALLBACK_THREW' })
  return (...args) => {
    try {
      const result = call(...args)
      if (isThenable(result)) result.then(undefined, warn)
    } catch (thrown) {
      warn(thrown)
    }
  }
}
