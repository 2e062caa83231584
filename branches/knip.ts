import { matchesGlob } from 'node:path/posix'

/** What is changed in knip.json. */
export interface KnipSettings {
  readonly entry: readonly string[]
  readonly ignoreBinaries: readonly string[]
}

/**
 * The settings of knip for a part of the files: patterns that match some, commands that some run. Exports that only
 * other steps use are no finding: a file is to be the same on every branch that has it.
 */
export const reduceKnip = <Whole extends KnipSettings>(
  settings: Whole,
  paths: readonly string[],
  isNamed: (command: string) => boolean,
) => ({
  ...settings,
  entry: settings.entry.filter(pattern => paths.some(path => matchesGlob(path, pattern))),
  ignoreBinaries: settings.ignoreBinaries.filter(isNamed),
  exclude: ['exports', 'types'],
})
