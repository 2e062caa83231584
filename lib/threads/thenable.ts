/** Whether `await` waits for this: promises, and what a library offers in their place. It never throws. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false
  try {
    return typeof (value as { readonly then?: unknown }).then === 'function'
  } catch {
    return false
  }
}
