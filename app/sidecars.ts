import type { Concern } from './concerns.ts'

/** A composition by the names of its implementations, and the destination of `sidecar` logging. */
type Named = Readonly<Record<Concern, string>> & { readonly logTo?: string | undefined }

/** The sidecars, each with a test whether a composition needs it: one line per sidecar. */
const sidecars: Readonly<Record<string, (named: Named) => boolean>> = {
  'logger-transport': ({ logging, logTo }) => logging === 'sidecar' && logTo !== 'stdout',
  'apm-agent': ({ apm }) => apm !== 'none',
}

/** Whether a composition needs a sidecar, such as `apm-agent`. */
export const isNeeded = (name: string, composition: Named): boolean => sidecars[name]?.(composition) ?? false
