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
installs, checks, starts, asks ${DEMO}, and runs the tests beside the modules. A test that reaches the same files as before is not
run again.`,
  options: {},
  async run() {
    const repository = new Repository(process.cwd())
    const head = repository.run(['rev-parse', 'HEAD'])
    const branches = commitSteps(repository, head)
    const directory = await mkdtemp(join(tmpdir(), 'branches-'))
    const place = ({ name }: Branch) => join(directory, name)
    const install = async (branch: Branch | undefined) => {
      if (!branch) return
      repository.run(['worktree', 'add', '--quiet', '--detach', place(branch), branch.commit])
      await runIn(place(branch), 'npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'])
    }
    try {
      let installed = install(branches[0])
      const bodies = new Map<string, string>()
      const seen = new Set<string>()
      for (const [index, branch] of branches.entries()) {
        await installed
        // While one is tried, the next is installed: that waits for disks.
        installed = install(branches[index + 1])
        installed.catch(() => {})
        const tests = testsToRun(branch.tree, branch.step, seen)
        await runIn(place(branch), 'npm', ['run', '--silent', 'check'])
        const body = await askDemo(place(branch), DEMO)
        bodies.set(body, branch.name)
        if (bodies.size > 1) {
          throw new UserError(`${[...bodies.values()].join(' and ')} answer ${DEMO} with different bodies`)
        }
        await runIn(place(branch), 'npm', ['exec', '--', 'node', '--test', '--test-concurrency=2', ...tests])
        process.stdout.write(
          `${branch.name}: installs, checks, answers, passes ${tests.length} files of tests\n`,
        )
      }
    } finally {
      await rm(directory, { recursive: true, force: true })
      repository.run(['worktree', 'prune'])
    }
  },
})
