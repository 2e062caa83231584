import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstStep } from '../../app/steps.ts'
import { runCommand } from '../../lib/cli/command.ts'
import { toggle } from '../../lib/cli/options.ts'
import { onStopRequested } from '../../lib/cli/stop-requested.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { Repository } from './git.ts'
import { askDemo, runIn } from './run-in.ts'
import { hashTests, testsToRun } from './tests-to-run.ts'
import { type Branch, commitSteps } from './update.ts'

const DEMO = '/demo?seed=7'
/** Each step is tested as one process and as several instances. */
const SIZES = [[], ['--instances=2']]

await runCommand({
  usage: 'npm run branches:check',
  description: `Makes the commit of every step without moving a branch, and tests each in its own directory: installs, checks,
starts, requests ${DEMO} from one and from two instances, and runs the tests beside the modules. A test that reaches
the same files on several branches runs once, and one that reaches the same files as on main is left to npm test. Each test of
the load test runs on one branch.`,
  options: { whole: toggle({ help: 'run all of npm test on each, which takes half an hour' }) },
  async run({ whole }) {
    const stop = new AbortController()
    onStopRequested(() => stop.abort())
    const repository = new Repository(process.cwd())
    const head = repository.run(['rev-parse', 'HEAD'])
    const branches = commitSteps(repository, head)
    const seen = new Set(hashTests(repository.readTree(head), firstStep).values())
    const directory = await mkdtemp(join(tmpdir(), 'branches-'))
    const failures: string[] = []
    try {
      for await (const outcome of tryAll({
        repository,
        branches,
        directory,
        whole,
        seen,
        stop: stop.signal,
      })) {
        process.stdout.write(`${outcome.says}\n`)
        if (!outcome.passed) failures.push(outcome.name)
      }
    } finally {
      await rm(directory, { recursive: true, force: true })
      repository.run(['worktree', 'prune'])
    }
    if (stop.signal.aborted) throw new UserError('interrupted')
    if (failures.length > 0) throw new UserError(`not in order: ${failures.join(', ')}`)
  },
})

interface Trial {
  readonly repository: Repository
  readonly branches: readonly Branch[]
  /** The directory in which the branches are installed. */
  readonly directory: string
  /** Whether all of `npm test` is run. */
  readonly whole: boolean
  /** The tests that have been run, as `testsToRun` takes them. */
  readonly seen: Set<string>
  readonly stop: AbortSignal
}

interface Outcome {
  readonly name: string
  readonly passed: boolean
  readonly says: string
}

/**
 * Tests the branches one after the other. While one is tested, the next is installed, which mostly waits for the disk.
 */
async function* tryAll(trial: Trial): AsyncGenerator<Outcome> {
  const { repository, branches, directory, whole, seen, stop } = trial
  const place = ({ name }: Branch) => join(directory, name)
  const install = async (branch: Branch | undefined) => {
    if (!branch) return
    repository.run(['worktree', 'add', '--quiet', '--detach', place(branch), branch.commit])
    await runIn(place(branch), 'npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'])
  }
  let expected: string | undefined
  let installing = install(branches[0])
  for (const [index, branch] of branches.entries()) {
    const { name, tree, step } = branch
    if (stop.aborted) return await installing.catch(() => {})
    try {
      const installed = installing
      installing = installed.catch(() => {}).then(() => install(branches[index + 1]))
      installing.catch(() => {})
      await installed
      for (const flags of SIZES) {
        const body = await askDemo(place(branch), DEMO, flags, stop)
        expected ??= body
        if (body !== expected)
          throw new UserError(`${[DEMO, ...flags].join(' ')} has another body than at the first step`)
      }
      await runIn(place(branch), 'npm', ['run', '--silent', 'check'])
      const tests = whole ? [] : testsToRun(tree, step, seen)
      if (whole || tests.length > 0)
        await runIn(place(branch), 'npm', ['test', '--', '--tries', '2', ...tests])
      const passed = whole ? 'npm test' : `${tests.length} files of tests`
      yield { name, passed: true, says: `${name}: installs, answers, checks, passes ${passed}` }
    } catch (error) {
      yield { name, passed: false, says: `${name}: ${(error as Error).message}` }
    }
  }
}
