import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../lib/command.ts'
import { UserError } from '../lib/user-error.ts'
import { Repository } from './git.ts'
import { askDemo, runIn } from './run-in.ts'
import { testsToRun } from './tests-to-run.ts'
import { type Branch, commitSteps } from './update.ts'

const DEMO = '/demo?seed=7'

await runCommand({
  usage: 'npm run branches:check',
  description: `Makes the commit of every step from the current one, moving no branch, and tries each in a directory of its own:
installs, checks, starts, asks ${DEMO}, and runs the tests beside the modules. A test that reaches the same files as on the branch
of an earlier step is not run again, nor one of the load test.`,
  options: {},
  async run() {
    const repository = new Repository(process.cwd())
    const branches = commitSteps(repository, repository.run(['rev-parse', 'HEAD']))
    const directory = await mkdtemp(join(tmpdir(), 'branches-'))
    const failures: string[] = []
    try {
      for await (const outcome of tryAll(repository, branches, directory)) {
        process.stdout.write(`${outcome.says}\n`)
        if (!outcome.passed) failures.push(outcome.name)
      }
    } finally {
      await rm(directory, { recursive: true, force: true })
      repository.run(['worktree', 'prune'])
    }
    if (failures.length > 0) throw new UserError(`not in order: ${failures.join(', ')}`)
  },
})

interface Outcome {
  readonly name: string
  readonly passed: boolean
  readonly says: string
}

/** One after the other. While one is tried, the next is installed: that mostly waits for the disk. */
async function* tryAll(
  repository: Repository,
  branches: readonly Branch[],
  directory: string,
): AsyncGenerator<Outcome> {
  const place = ({ name }: Branch) => join(directory, name)
  const install = async (branch: Branch | undefined) => {
    if (!branch) return
    repository.run(['worktree', 'add', '--quiet', '--detach', place(branch), branch.commit])
    await runIn(place(branch), 'npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'])
  }
  const seen = new Set<string>()
  let expected: string | undefined
  let installing = install(branches[0])
  for (const [index, branch] of branches.entries()) {
    const { name, tree, step } = branch
    try {
      const installed = installing
      installing = installed.catch(() => {}).then(() => install(branches[index + 1]))
      installing.catch(() => {})
      await installed
      const body = await askDemo(place(branch), DEMO)
      expected ??= body
      if (body !== expected) throw new UserError(`${DEMO} has another body than at the first step`)
      await runIn(place(branch), 'npm', ['run', '--silent', 'check'])
      const tests = testsToRun(tree, step, seen)
      await runIn(place(branch), 'npm', ['exec', '--', 'node', '--test', '--test-concurrency=2', ...tests])
      yield {
        name,
        passed: true,
        says: `${name}: installs, answers, checks, passes ${tests.length} files of tests`,
      }
    } catch (error) {
      yield { name, passed: false, says: `${name}: ${(error as Error).message}` }
    }
  }
}
