import type { Concern } from '../../app/concerns.ts'
import { type Step, steps } from '../../app/steps.ts'

/**
 * The rules for the branch of a step that cannot be derived from imports. Everything else is derived: a file is present
 * if a file that the step runs reaches it.
 */

/** The files that every step has: its processes, what starts them, its load test and its test. */
export const required = [
  'app/main.ts',
  'orders/main.ts',
  'stack/start.ts',
  'build.ts',
  'loadtest/autocannon.ts',
  // The suites that compare implementations stay on main.
  'stack/start.test.ts',
]

/** The scripts of a branch, by their names in package.json. Its tests need no runner of ours. */
export const branchScripts: Readonly<Record<string, string>> = {
  build: 'node build.ts',
  prepare: 'node lib/require-node.js && npm run build',
  start: 'node stack/start.ts',
  loadtest: 'node loadtest/autocannon.ts',
  test: 'node --test --test-reporter=dot --test-concurrency=4',
  check: 'biome ci . && tsc && tsc -p app/pages/view',
  format: 'biome check --write .',
}

/**
 * What stays on main, by the beginnings of paths: everything that teaches no step, all of the load test but one file, and tests about
 * several implementations.
 */
const ofMain = [
  'advisor/',
  ...['http-calls.', 'own-spans.'].map(file => `apm-agent/main-thread/${file}`),
  ...['bounds.', 'dead-letters.', 'figures.', 'idle-wait.', 'quarantine.', 'silence.'].map(
    file => `logger-transport/${file}`,
  ),
  ...['otlp', 'stdout'].map(target => `logger-transport/targets/${target}`),
  'deploy/',
  'docs/',
  'examples/',
  'release/',
  'screen/',
  'talk/',
  'app/server/',
  'app/concerns/apm/opentelemetry-calls.ts',
  ...['licences.', 'sources/'].map(file => `lib/build/${file}`),
  ...['checked-options.', 'surroundings.'].map(file => `lib/cli/${file}`),
  ...['guard.', 'late-requests.'].map(file => `lib/http/${file}`),
  ...['progress-watch.', 'stray-messages.', 'watch-threads.'].map(file => `lib/main-thread/${file}`),
  'lib/os/own-place.',
  'lib/processes/oversight.',
  'loadtest/report/',
  // What the page of the app does not use of the package.
  ...[
    'main-thread/explain-props',
    'name-file',
    'page-shell',
    'pass-response',
    'pipe-transformed',
    'render-string',
    'shells',
  ].map(file => `render/${file}.ts`),
  'stack/nats',
  ...['async-tasks.', 'hash-password.', 'minify-html.', 'read-document.', 'remote'].map(
    file => `workers/${file}`,
  ),
]

export const isOfMain = (path: string): boolean => ofMain.some(beginning => path.startsWith(beginning))

/** Files that only one implementation of a concern needs, although no import shows it. */
export const neededBy: Readonly<Record<string, readonly [concern: Concern, name: string]>> = {
  // Below step 5, metrics and spans go to any receiver of OTLP, which a team has.
  'apm-agent/receiver.ts': ['apm', 'sidecar'],
  'logger-transport/main.ts': ['logging', 'sidecar'],
}

/** Lists of options. An entry is on the branch if something else names its file, too. */
export const sums = ['app/config.ts']

/** Whether a file is only for tests and benches. */
export const isHelper = (path: string): boolean =>
  /^test\/|\.(test|long|fixture|faulty)\.tsx?$|\.schema\.json$/.test(path)

/** Files that every step has although no source refers to them. */
export const alwaysKept = [
  'package.json',
  'package-lock.json',
  'README.md',
  'LICENSE',
  'orders/orders.schema.json',
  '.gitignore',
  '.nvmrc',
  'biome.json',
  'tsconfig.json',
  'lib/require-node.js',
]

/** The paths of a slide for `git diff`: the change of a step in the app, without its tests. This is its only definition. */
export const slidePaths = ['app', ':!*.test.ts', ':!*.fixture.ts'] as const

/** The paths quoted for a shell, which would otherwise replace the `*`. */
export const quotedSlidePaths = slidePaths.map(path => (path.includes('*') ? `'${path}'` : path)).join(' ')

/**
 * On main, options choose one of the implementations in a table, by the numbers of the steps. On the branch of a step the choice is made:
 * a source imports the one that there is.
 */
export const choose = (text: string, { composition }: Step): string =>
  text
    .replace(
      /implementations\.(\w+)\[composition\.\1\]\(\)/g,
      (_, concern: Concern) => `import('./concerns/${concern}/${composition[concern]}.ts')`,
    )
    .replace(
      /`([^`$]*)\$\{composition\.(\w+)\}([^`$]*)`/g,
      (_, before, concern: Concern, after) => `'${before}${composition[concern]}${after}'`,
    )
    .replace(/since\(\d+, (\(\) => import\('[^']+'\))\)/g, '$1')

/** The name of a branch, such as `step-3-framework`. */
export const branchOf = ({ number, name }: Step): string => `step-${number}-${name}`

/** The step before, if any. */
export const stepBefore = ({ number }: Step): Step | undefined => steps[number - 1]
