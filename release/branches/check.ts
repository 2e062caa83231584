import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onStopRequested } from '../../lib/cli/stop-requested.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import type { Repository } from './git.ts'
import { askStep, runIn } from './run-in.ts'
import type { Branch } from './update.ts'

const DEMO = '/demo?seed=7'
const PAGE = '/page?seed=7&orders=20'

/**
 * Tries each branch as its README says, in a directory of its own: installs, starts, asks for /demo and /page, checks and
 * tests. The answer to /demo has to be the same on every branch.
 * @throws UserError that names the branches that are not in order
 */
export async function checkBranches(repository: Repository, branches: readonly Branch[]): Promise<void> {
  const stop = new AbortController()
  onStopRequested(() => stop.abort())
  const directory = await mkdtemp(join(tmpdir(), 'branches-'))
  const failures: string[] = []
  const place = ({ name }: Branch) => join(directory, name)
  const install = async (branch: Branch | undefined) => {
    if (!branch || stop.signal.aborted) return
    repository.run(['worktree', 'add', '--quiet', '--detach', place(branch), branch.commit])
    await runIn(place(branch), 'npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'])
  }
  let expected: string | undefined
  let installing = install(branches[0])
  try {
    for (const [index, branch] of branches.entries()) {
      // While a branch is tried, the next is installed, which mostly waits for the disk.
      const installed = installing
      installing = installed.catch(() => {}).then(() => install(branches[index + 1]))
      installing.catch(() => {})
      try {
        await installed
        if (stop.signal.aborted) break
        const [demo] = await askStep(place(branch), [DEMO, PAGE], stop.signal)
        expected ??= demo
        if (demo !== expected) throw new UserError(`${DEMO} has another body than at the first step`)
        for (const args of [['run', '--silent', 'check'], ['test']]) await runIn(place(branch), 'npm', args)
        process.stdout.write(`${branch.name}: installs, answers, checks, passes npm test\n`)
      } catch (error) {
        process.stdout.write(`${branch.name}: ${(error as Error).message}\n`)
        failures.push(branch.name)
      }
    }
  } finally {
    await installing.catch(() => {})
    await rm(directory, { recursive: true, force: true })
    repository.run(['worktree', 'prune'])
  }
  if (stop.signal.aborted) throw new UserError('interrupted')
  if (failures.length > 0) throw new UserError(`not in order: ${failures.join(', ')}`)
}
