import { existsSync, globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
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
  description: `Runs the tests in the files, by default in all files *.test.ts. Tests beside modules share one process. Files in
test/ and in app/concerns/ have a process each, because they start processes, threads, or whole apps.`,
  options: {},
  takesWords: true,
  async run(_, words) {
    shareCompiledCode()
    const files = words.length > 0 ? words.map(existing) : findTests()
    const together = files.filter(sharesProcess)
    const alone = files.filter(file => !sharesProcess(file))
    // The shared process comes first, because it runs longest.
    const started = together.length > 0 ? [SHARED_PROCESS, ...alone] : alone
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
  if (!existsSync(file)) throw new UserError(`there is no file ${file}`)
  return join(process.cwd(), file)
}

function sharesProcess(file: string): boolean {
  const path = relative(ROOT, file)
  return !path.startsWith('test/') && !path.startsWith('app/concerns/')
}
