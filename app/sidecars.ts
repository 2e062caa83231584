import type { Concern } from './concerns.ts'

/** A composition by what its parts are called, and where `sidecar` of logging writes. */
type Named = Readonly<Record<Concern, string>> & { readonly logTo?: string | undefined }

/** The processes that work for the app, and which compositions have work for them. A line a sidecar. */
const sidecars: Readonly<Record<string, (named: Named) => boolean>> = {
  'logger-transport/main.ts': ({ logging, logTo }) => logging === 'sidecar' && logTo !== 'stdout',
  'apm-agent/main.ts': ({ apm }) => apm !== 'none',
}

/** Whether a composition has anything for a sidecar, such as `apm-agent`, to do. */
export const isNeeded = (name: string, composition: Named): boolean =>
  sidecars[`${name}/main.ts`]?.(composition) ?? false
