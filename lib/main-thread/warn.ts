const told = new Set<string>()

/** Emits a warning, once for each code: what is wrong with each message would otherwise be told for each. */
export function warnOnce(code: string, message: string): void {
  if (told.has(code)) return
  told.add(code)
  process.emitWarning(message, { code })
}
