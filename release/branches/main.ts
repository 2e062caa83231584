import { firstStep, lastStep } from '../../app/steps.ts'
import { renderColumns } from '../../lib/cli/columns.ts'
import { runCommand } from '../../lib/cli/command.ts'
import { toggle } from '../../lib/cli/options.ts'
import { checkBranches } from './check.ts'
import { Repository } from './git.ts'
import { branchOf } from './rules.ts'
import { sizeColumns, sizeOf } from './sizes.ts'
import { commitSteps, placeBranches } from './update.ts'

await runCommand({
  usage: 'npm run branches -- [options]',
  description: `Makes a local branch of every step, ${branchOf(firstStep)} to ${branchOf(lastStep)}, from the current commit. Each holds
only the files of its step and is one commit on top of the branch before. The work tree and the index do not change.`,
  options: {
    force: toggle({ help: 'overwrite branches of these names that this command did not make' }),
    check: toggle({
      help: 'move no branch; install, check, start and test each of them in a temporary directory',
    }),
  },
  async run({ force, check }) {
    const repository = new Repository(process.cwd())
    const head = repository.run(['rev-parse', 'HEAD'])
    if (repository.run(['status', '--porcelain']))
      process.stderr.write('warning: uncommitted changes are not in the branches\n')
    const branches = commitSteps(repository, head)
    if (check) await checkBranches(repository, branches)
    else placeBranches(repository, branches, force)
    const sizes = branches.map(branch => sizeOf(repository, branch))
    process.stdout.write(`${renderColumns(sizes, sizeColumns)}\n`)
  },
})
