import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UserError } from '../../lib/cli/user-error.ts'
import { abortWhenAsked } from '../../loadtest/run/measure.ts'
import type { Repository } from './git.ts'
import { askStep, runIn } from './run-in.ts'
import type { Branch } from './update.ts'

const DEMO = '/demo?seed=7'
const PAGE = '/page?seed=7&orders=20'
/** Two branches are tried at a time, because a branch often waits: for the disk, and for processes that start. */
const AT_ONCE = 2

/**
 * Tries each branch as its README says: installs, starts, asks for /demo and /page, checks and tests. The answer to /demo has
 * to be the same on every branch. A work tree serves one branch after the other, so that Node.js finds the compiled code of equal files.
 * @throws UserError that names the branches that are not in order
 */
export async function checkBranches(repository: Repository, branches: readonly Branch[]): Promise<void> {
  const stop = abortWhenAsked()
  const directory = await mkdtemp(join(tmpdir(), 'branches-'))
  process.env.NODE_COMPILE_CACHE ??= join(directory, 'compiled')
  // The later the step, the longer its tests take. The longest come first, so that no place waits long for the other.
  const waiting = branches.toReversed()
  const failures: string[] = []
  let expected: string | undefined
  const tryOneByOne = async (place: string) => {
    for (let next = waiting.shift(); next && !stop.aborted; next = waiting.shift()) {
      const { name, commit } = next
      const beganAtMs = performance.now()
      try {
        if (existsSync(place)) repository.run(['-C', place, 'checkout', '--quiet', '--detach', commit])
        else repository.run(['worktree', 'add', '--quiet', '--detach', place, commit])
        const answer = await tryBranch(place, stop)
        expected ??= answer
        if (answer !== expected) throw new UserError(`${DEMO} has another body than at another step`)
        process.stdout.write(`${name}: in order (${((performance.now() - beganAtMs) / 1000).toFixed(0)} s)\n`)
      } catch (error) {
        process.stdout.write(`${name}: ${(error as Error).message}\n`)
        failures.push(name)
      }
    }
  }
  try {
    const places = Array.from({ length: AT_ONCE }, (_, index) => join(directory, String(index)))
    await Promise.all(places.map(tryOneByOne))
  } finally {
    await rm(directory, { recursive: true, force: true })
    repository.run(['worktree', 'prune'])
  }
  if (stop.aborted) throw new UserError('interrupted')
  if (failures.length > 0) throw new UserError(`not in order: ${failures.join(', ')}`)
}

/** Tries the branch that is checked out at a place. @returns the answer to /demo */
async function tryBranch(place: string, stop: AbortSignal): Promise<string | undefined> {
  await install(place)
  const [demo] = await askStep(place, [DEMO, PAGE], stop)
  await runIn(place, 'npm', ['run', '--silent', 'check'])
  const test = () => runIn(place, 'npm', ['test'])
  // Another program may have kept the machine busy at the first try.
  await test().catch(test)
  return demo
}

/**
 * Installs the packages of a branch. In the work tree of an earlier branch only those that differ are installed, after a check that
 * `npm ci` would take the lock file.
 */
async function install(place: string): Promise<void> {
  const npm = (...words: string[]) =>
    runIn(place, 'npm', [...words, '--prefer-offline', '--no-audit', '--no-fund'])
  if (!existsSync(join(place, 'node_modules'))) return npm('ci')
  await npm('ci', '--dry-run')
  await npm('install', '--no-save')
}
