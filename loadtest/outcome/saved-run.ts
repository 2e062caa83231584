import type { Environment } from './environment.ts'

/** The part of a results file that is the same for every command that measures. */
export interface SavedRun {
  readonly schemaVersion: 1
  readonly environment: Environment
  readonly settings: {
    readonly command: string
    readonly rounds: number
    readonly seed: number
    /** Whether samples count however much the machine disturbed them. They are marked then. */
    readonly acceptNoise?: boolean
    /** The flags that measure the same again; absent in results of versions that did not save them. */
    readonly arguments?: readonly string[]
  }
  /** True when the run was interrupted; absent in results of versions that did not save it. */
  readonly partial?: boolean
  /** True when the machine disturbed samples that count; absent in results of versions that did not save it. */
  readonly noisy?: boolean
}

/** The command that measures the same again; null for results of versions that did not save their arguments. */
export function repeatCommand({ settings }: Pick<SavedRun, 'settings'>): string | null {
  const { command, arguments: flags } = settings
  if (!flags) return null
  return ['npm run loadtest --', command, ...flags].join(' ')
}
