import { globSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { runCommand } from '../lib/cli/command.ts'
import { integer, toggle } from '../lib/cli/options.ts'
import { UserError } from '../lib/cli/user-error.ts'
import { report } from './reporter.ts'
import { shareOf } from './shared/share.ts'

const ROOT = join(import.meta.dirname, '..')
/** Four processes more than cores, because tests often wait. */
const PROCESSES = availableParallelism() + 4
/**
 * The folders, without those in them, whose tests start whole apps or many processes, or need a process whose calls no other test
 * records: recording never ends.
 */
const ALONE = [
  ...['apm', 'compute', 'logging', 'rendering', 'upstream'].map(concern => `app/concerns/${concern}`),
  ...['examples', 'release/branches', 'stack', 'talk/exercises', 'test', 'test/containers'],
]
/** Beginnings of the paths of long tests that judge no time: they open pages, install packages, simulate, or run short load tests. */
const TIMELESS = [
  ...'test/browser/ release/packages/ examples/ loadtest/run/ loadtest/statistics/'.split(' '),
  ...'test/loadtest/ test/kubernetes/'.split(' '),
]
/** The tests take three minutes, the long ones five. After four and three times that something hangs: its file fails, and may run again. */
const LIMIT_MS = { tests: 12 * 60_000, long: 15 * 60_000 }
const SHARED_PROCESSES = ['first', 'second', 'third'].map(name =>
  join(import.meta.dirname, 'shared', `${name}.ts`),
)

await runCommand({
  usage: 'npm test -- [options] [file ...]',
  description: `Runs the tests in the files, by default in all files *.test.ts. The files in ${ALONE.join(', ')} have a process each,
because they start whole apps or many processes. All other files share ${SHARED_PROCESSES.length} processes.`,
  options: {
    long: toggle({ help: 'run the files *.long.ts; those that measure time run one after the other' }),
    tries: integer({
      min: 1,
      max: 5,
      default: '1',
      help: 'run a file again, up to this many times in all, if a test in it fails',
    }),
  },
  takesWords: true,
  async run({ long, tries }, words) {
    shareCompiledCode()
    let files = words.length > 0 ? words.map(existing) : findTests(long ? '**/*.long.ts' : '**/*.test.ts')
    for (let left = tries; left > 0; left--) {
      const signal = AbortSignal.timeout(long ? LIMIT_MS.long : LIMIT_MS.tests)
      const alone = files.filter(file => long && !isTimeless(file))
      const beside = files.filter(file => !alone.includes(file))
      const isBrief = words.length === 0
      files = [
        ...(await runTests(beside, PROCESSES, signal, isBrief)),
        ...(await runTests(alone, 1, signal, isBrief)),
      ]
      if (files.length === 0) return
      process.stdout.write(`${left > 1 ? 'again' : 'failed'}: npm test -- ${namesOf(files)}\n`)
    }
    process.exitCode = 1
  },
})

function namesOf(files: readonly string[]): string {
  return files.map(file => relative(ROOT, file)).join(' ')
}

/**
 * Runs the tests in the files until they end or are aborted, and shows their results.
 * @param isBrief shows only failures and a line for each process
 * @returns the files in which a test failed, or had not ended when the time was over
 */
async function runTests(
  files: readonly string[],
  concurrency: number,
  signal: AbortSignal,
  isBrief: boolean,
): Promise<string[]> {
  if (files.length === 0) return []
  const together = files.filter(sharesProcess)
  const alone = files.filter(file => !sharesProcess(file))
  // A file of many tests takes longer than others. If it began last, it would run when the others have ended.
  const longFirst = alone.toSorted((one, other) => weightOf(other) - weightOf(one))
  const shares = SHARED_PROCESSES.map((process, index) => ({ process, files: shareOf(together, index) }))
  const shared = shares.filter(({ files }) => files.length > 0).map(({ process }) => process)
  // The shared processes run longest of all.
  const events = run({ files: [...shared, ...longFirst], argv: together, concurrency, signal })
  const failed = new Set<string | undefined>()
  events.on('test:fail', ({ file }) => failed.add(file))
  for await (const text of report(events, isBrief)) process.stdout.write(text)
  // If a shared process itself failed, it ended early: some of its files have not run, and any may be the cause.
  for (const { process, files } of shares) if (failed.has(process)) for (const file of files) failed.add(file)
  return files.filter(file => failed.has(file))
}

/**
 * Lets all processes that tests start share compiled code of Node.js: a start then takes about half the CPU time. Only
 * tests and `.ci/run` use this cache: `npm start`, the load test and `npm run test:faults` compile as users' processes do.
 */
function shareCompiledCode(): void {
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/compile')
}

function findTests(pattern: string): string[] {
  const files = globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules'] })
  return files.sort().map(file => join(ROOT, file))
}

/** @throws UserError when there is no such file */
function existing(file: string): string {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new UserError(`there is no file ${file}`)
  return resolve(file)
}

/** Whether a file takes longer than others, by its size. The many tests of a contract are in the suite that it calls. */
function weightOf(file: string): number {
  return file.endsWith('contract.test.ts') ? Number.MAX_SAFE_INTEGER : statSync(file).size
}

function folderOf(file: string): string {
  return dirname(relative(ROOT, file))
}

function isTimeless(file: string): boolean {
  return TIMELESS.some(path => relative(ROOT, file).startsWith(path))
}

function sharesProcess(file: string): boolean {
  return file.endsWith('.test.ts') && !ALONE.includes(folderOf(file))
}
