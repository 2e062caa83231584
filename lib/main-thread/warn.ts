import { isThenable, stackOf } from '../threads/thrown.ts'

const told = new Set<string>()

/** Emits a warning, once for each code: what is wrong with each message would otherwise be told for each. */
export function warnOnce(code: string, message: string): void {
  if (told.has(code)) return
  told.add(code)
  process.emitWarning(message, { code })
}

/**
 * A function of the user that others call. What it throws, or rejects with, is a warning, and ends nothing else.
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
