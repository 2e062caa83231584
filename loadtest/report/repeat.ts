import type { SavedRun } from '../outcome/saved-run.ts'

/** The command that measures the same again; null for results of versions that did not save their arguments. */
export function repeatCommand({ settings }: Pick<SavedRun, 'settings'>): string | null {
  const { command, arguments: flags } = settings
  if (!flags) return null
  return ['npm run loadtest --', command, ...flags].join(' ')
}
