/**
 * The rules for the branch of a step that cannot be derived from imports. Everything else is derived: a file is present
 * if a file that the step runs reaches it, and a test if all files that it needs are present.
 */

/** The files that every step has: its processes, and the commands of its load test. */
export const required = [
  'app/main.ts',
  'orders/main.ts',
  'apm-agent/main.ts',
  'stack/main.ts',
  'build.ts',
  'loadtest/main.ts',
  ...['run', 'aa', 'open', 'isolation', 'gc', 'idle/command', 'floor', 'compare/command'].map(
    name => `loadtest/commands/${name}.ts`,
  ),
]

/** Files that are about several steps or implementations, although no import shows it. */
export const aboutSeveral = [
  'loadtest/commands/break-even/command.ts',
  'loadtest/commands/ablation/rows.ts',
  'loadtest/commands/equal-cores/rows.ts',
  'loadtest/documents/main.ts',
  'app/concerns/apm/parity.test.ts',
  'logger-transport/targets/other-loggers.test.ts',
  'loadtest/commands/break-even/cells.test.ts',
  'loadtest/commands/compare/compare-runs.test.ts',
  'loadtest/declaration/answer.test.ts',
  'loadtest/outcome/summarize.test.ts',
  'loadtest/sample/rows.test.ts',
  'test/loadtest/break-even.long.ts',
]

/**
 * Folders and files that exist on main only, by the beginnings of their paths: the advisor, documents and published runs,
 * the code for the branches, the examples, the exercises, the images and the packages, the manifests for Kubernetes, the
 * files for programs that observe the containers, the stage on which all steps are shown, workers on other machines, and
 * the comparisons of libraries.
 */
export const ofMain = [
  'advisor/',
  'release/branches/',
  'deploy/',
  'docs/',
  'examples/',
  'talk/exercises/',
  'release/images/',
  'lib/build/sources/',
  'loadtest/bench/',
  'deploy/observe/',
  'release/packages/',
  'stack/nats',
  'talk/stage/',
  'test/containers/',
  'test/kubernetes/',
  'workers/remote',
]

/** Implementations that tests of other concerns use as a stand-in. */
export const standIns = ['app/concerns/apm/none.ts']

/** Lists that lose the entries of other steps, one per line, and all files that only those entries reached. */
export const choices = ['app/concerns.ts', 'app/sidecars.ts', 'stack/companions.ts']

/** Lists that lose an entry if a file that it needs is absent. */
export const lists = ['build.ts', 'loadtest/commands/index.ts', 'test/faults/groups.ts']

/** The list of packages by name, one per line. */
export const packageTable = 'loadtest/spectrum/packages.ts'

/** Whether a file is only for tests and benches. It stays if a test or bench on the branch uses it. */
export const isHelper = (path: string): boolean =>
  /^(test|loadtest\/bench)\/|\.(test|long|fixture)\.tsx?$|\.schema\.json$/.test(path)

/** Whether any test may use a file, even if the step does not run it. */
export const isCommon = (path: string): boolean => path.startsWith('lib/')

/** Files that every step has although no source refers to them. */
export const alwaysKept = [
  ...['package.json', 'package-lock.json', 'README.md', 'LICENSE'],
  ...['.editorconfig', '.gitignore', '.nvmrc', 'biome.json', 'knip.json', 'tsconfig.json'],
]
