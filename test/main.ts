import { globSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { runCommand } from '../lib/command.ts'
import { UserError } from '../lib/user-error.ts'
import report from './reporter.ts'

const ROOT = join(import.meta.dirname, '..')
/** One process more than cores, because tests often wait. */
const PROCESSES = availableParallelism() + 1
const SHARED_PROCESS = join(import.meta.dirname, 'shared-process.ts')

await runCommand({
  usage: 'npm test -- [file ...]',
  description: `Runs the tests in the files, by default in all files *.test.ts. The files of app/ and test/ have a process each,
because they start processes, threads, or whole apps. All other files share one process.`,
  options: {},
  takesWords: true,
  async run(_, words) {
    shareCompiledCode()
    const files = words.length > 0 ? words.map(existing) : findTests()
    const together = files.filter(sharesProcess)
    const alone = files.filter(file => !sharesProcess(file))
    // The shared process runs longest and starts first; the tests of whole systems come next.
    const longFirst = [...alone.filter(isAboutSystem), ...alone.filter(file => !isAboutSystem(file))]
    const started = together.length > 0 ? [SHARED_PROCESS, ...longFirst] : longFirst
    const events = run({ files: started, argv: together, concurrency: PROCESSES })
    events.on('test:fail', () => {
      process.exitCode = 1
    })
    for await (const text of report(events)) process.stdout.write(text)
  },
})

/**
 * Lets all processes that tests start share compiled code of Node.js: a start then takes about half the CPU time. Only
 * tests use this cache: `npm start`, the load test and `npm run faults` compile as users' processes do.
 */
function shareCompiledCode(): void {
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/compile')
}

function findTests(): string[] {
  const files = globSync('**/*.test.ts', { cwd: ROOT, exclude: ['**/node_modules'] })
  return files.sort().map(file => join(ROOT, file))
}

/** @throws UserError when there is no such file */
function existing(file: string): string {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new UserError(`there is no file ${file}`)
  return resolve(file)
}

function isAboutSystem(file: string): boolean {
  return relative(ROOT, file).startsWith('test/')
}

function sharesProcess(file: string): boolean {
  return !isAboutSystem(file) && !relative(ROOT, file).startsWith('app/')
}
