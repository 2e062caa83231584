import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { UserError } from '../../lib/cli/user-error.ts'
import { saveFile } from '../../lib/os/save-file.ts'
import { formatDuration } from '../../lib/units.ts'
import { codeOf, noteMeasured, readCampaign } from './reached.ts'
import { type Run, type RunName, resultsPath, runNames, runs } from './runs.ts'

const ROOT = join(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const MINUTE_MS = 60_000
/** A run that takes so many times its minutes is stopped, so that the others are taken. */
const PATIENCE = 3

const say = (line: string) => process.stderr.write(`${line}\n`)

/**
 * Takes the published runs one after another, and saves each when it ends. Without names it takes those that were not measured
 * with the code of this commit, so that it goes on after an interruption. A run that fails leaves its old results.
 * @returns the names of the runs that failed
 * @throws UserError if code is not committed
 */
export async function measure(only: readonly RunName[] | undefined, abort: AbortSignal): Promise<RunName[]> {
  const commit = requireCommit()
  const done = readCampaign()
  const names = only ?? runNames.filter(name => done[name]?.code !== codeOf(name))
  if (names.length === 0) say('every run was measured with this code; --only NAME takes one again')
  const failed: RunName[] = []
  for (const [index, name] of names.entries()) {
    const { line, minutes }: Run = runs[name]
    const leftMs = names.slice(index).reduce((sum, each) => sum + runs[each].minutes * MINUTE_MS, 0)
    say(`[${index + 1}/${names.length}] ${name}: ${line}`)
    say(`at most about ${minutes} min; at most about ${formatDuration(leftMs)} left for all`)
    const output = await runLine(line, minutes, abort)
    if (abort.aborted)
      throw new UserError('interrupted; the same command goes on with the runs that are left')
    if (output === undefined || !publish(name, output, commit)) failed.push(name)
  }
  return failed
}

/** The commit of the code; documents and results may be changed. */
function requireCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT }).toString().trim()
  const changed = git('status', '--porcelain', '--', '.', ':!docs', ':!*.md')
  if (changed)
    throw new UserError(
      `commit first, because figures name a commit; changed are: ${changed.replaceAll('\n', ', ')}`,
    )
  return git('rev-parse', '--short=12', 'HEAD')
}

/** Runs a script of package.json, or a file. @returns what it printed; undefined if it failed, or took much too long */
async function runLine(line: string, minutes: number, abort: AbortSignal): Promise<string | undefined> {
  const [script = '', ...words] = line.split(' ').filter(word => word !== '--')
  const file = scripts[script]?.split(' ')[1] ?? script
  const child = spawn(process.execPath, [file, ...words], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = () => child.kill('SIGINT')
  const timer = setTimeout(stop, PATIENCE * minutes * MINUTE_MS)
  abort.addEventListener('abort', stop, { once: true })
  if (abort.aborted) stop()
  const [printed] = await Promise.all([text(child.stdout), ended(child)])
  clearTimeout(timer)
  abort.removeEventListener('abort', stop)
  return child.exitCode === 0 ? printed : undefined
}

const ended = (child: ChildProcess) => once(child, 'close')

/** Saves the results in place of the old ones. @returns whether they are results of this kind */
function publish(name: RunName, printed: string, commit: string): boolean {
  const { file, read }: Run = runs[name]
  const tried = join(tmpdir(), `${name}-${process.pid}.json`)
  try {
    if (file === undefined) {
      const results = JSON.parse(printed)
      // The results of the runs before are not committed yet, so that the run itself saw a changed work tree.
      results.environment.commit = commit
      if (results.noisy) say(`${name} is noisy: other programs used the machine; its table says so`)
      saveFile(tried, `${JSON.stringify(results)}\n`)
      read(tried)
      saveFile(resultsPath(name), `${JSON.stringify(results)}\n`)
    }
    noteMeasured(name, commit)
    return true
  } catch (error) {
    say(`${name}: ${(error as Error).message}`)
    return false
  } finally {
    rmSync(tried, { force: true })
  }
}
