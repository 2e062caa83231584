/**
 * The concerns that take the time of Node.js's own modules with them: a driver of a database that writes to its socket is
 * the database, and a logger that writes to a file is logging. Wrappers that only pass a call on take nothing, so an APM
 * agent around HTTP is not HTTP.
 */
const takers: Readonly<Record<string, readonly string[]>> = {
  http: ['database', 'messaging', 'logging', 'http client'],
  files: ['database', 'logging', 'rendering', 'module loading'],
  serialization: ['database', 'messaging', 'logging', 'apm', 'auth and crypto', 'rendering'],
  'auth and crypto': ['database', 'messaging', 'apm', 'rendering'],
  compression: ['database', 'messaging', 'logging', 'apm'],
}

const names = new Set(Object.values(takers).flat())

/** Whether a built-in of this concern takes the time of others with it, as `console` does. */
export const isTaker = (concern: string): boolean => names.has(concern)

/** The concern of a built-in's time, by the concern of the package that called it. */
export const absorb = (ofBuiltin: string, ofCaller: string | undefined): string =>
  ofCaller !== undefined && takers[ofBuiltin]?.includes(ofCaller) ? ofCaller : ofBuiltin
