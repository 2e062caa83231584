import { join, matchesGlob } from 'node:path/posix'

/** The settings of knip.json that a branch changes. */
export interface KnipSettings {
  readonly workspaces: Readonly<Record<string, { readonly entry: readonly string[] }>>
  readonly ignoreBinaries: readonly string[]
}

/**
 * The settings of knip for a part of the files, in a project without workspaces: only patterns that match a file, and
 * commands that a script runs. Unused exports are not reported, because a file has to be the same on every branch that
 * has it, and other steps may use these exports.
 */
export const reduceKnip = <Whole extends KnipSettings>(
  { workspaces, ...settings }: Whole,
  paths: readonly string[],
  isNamed: (command: string) => boolean,
) => ({
  ...settings,
  entry: Object.entries(workspaces)
    .flatMap(([folder, { entry }]) => entry.map(pattern => join(folder, pattern)))
    .filter(pattern => paths.some(path => matchesGlob(path, pattern))),
  ignoreBinaries: settings.ignoreBinaries.filter(isNamed),
  exclude: ['exports', 'types'],
})
