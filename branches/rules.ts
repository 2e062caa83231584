/**
 * What imports cannot tell of a step's branch. Everything else is derived: a file is there when something reaches it
 * that the step runs, a test when everything that it needs is there.
 */

/** What every step has: its processes, and the commands of its load test. */
export const required = [
  'app/main.ts',
  'orders/main.ts',
  'apm-agent/main.ts',
  'stack/main.ts',
  'build.ts',
  'loadtest/main.ts',
  ...['run', 'aa', 'open', 'isolation', 'gc', 'compare'].map(name => `loadtest/commands/${name}.ts`),
]

/** About several steps or implementations by nature, though no import says so. */
export const aboutSeveral = [
  'loadtest/commands/break-even.ts',
  'loadtest/commands/ablation-rows.ts',
  'loadtest/commands/equal-cores-rows.ts',
  'loadtest/documents/main.ts',
  'app/concerns/apm/parity.test.ts',
  'loadtest/break-even/cells.test.ts',
  'loadtest/commands/compare-runs.test.ts',
  'loadtest/outcome/summarize.test.ts',
  'loadtest/sample/rows.test.ts',
  'test/break-even.test.ts',
]

/**
 * Folders of main alone: documents and published runs, what makes the branches, what tries the images, and what compares
 * libraries.
 */
export const ofMain = [
  ...['docs/', 'branches/', 'images/', 'lib/sources/'],
  ...['test/containers/', 'loadtest/bench/'],
]

/** Implementations that tests of other concerns use as a stand-in. */
export const standIns = ['app/concerns/apm/none.ts']

/** Lists from which what is of other steps goes, an entry a line, and with it all that it alone led to. */
export const choices = ['app/concerns.ts', 'app/sidecars.ts']

/** Lists from which an entry goes when something is not there that it needs. */
export const lists = ['loadtest/commands/index.ts', 'test/faults/groups.ts']

/** The list of packages by name, a line a package. */
export const packageTable = 'loadtest/spectrum/packages.ts'

/** What is only for tests and benches: it stays when what uses it does. */
export const isHelper = (path: string): boolean =>
  /^(test|loadtest\/bench)\/|\.(test|long|fixture)\.tsx?$|\.schema\.json$/.test(path)

/** What any test may use, whether or not the step runs it. */
export const isCommon = (path: string): boolean => path.startsWith('lib/')

/** What no source refers to and a step has all the same. */
export const alwaysKept = [
  ...['package.json', 'package-lock.json', 'README.md', 'LICENSE'],
  ...['.editorconfig', '.gitignore', 'biome.json', 'knip.json', 'tsconfig.json'],
]
