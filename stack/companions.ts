import type { Composition } from '../app/concerns.ts'
import type { Companion, CompanionOptions } from './companion.ts'

/** The companions by the implementation of compute that needs them, one line for each. */
const companions: Readonly<Record<string, () => Promise<Companion>>> = {
  nats: () => import('./nats.ts'),
}

/**
 * Starts the companions of all compositions.
 * @returns environment variables for the app
 */
export async function startCompanions(
  compositions: readonly Composition[],
  options: CompanionOptions,
): Promise<NodeJS.ProcessEnv> {
  const variables: NodeJS.ProcessEnv = {}
  for (const name of new Set(compositions.map(({ compute }) => compute))) {
    const companion = await companions[name]?.()
    Object.assign(variables, await companion?.start(options))
  }
  return variables
}
