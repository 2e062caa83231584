import { type Step, steps } from '../../app/steps.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { treeOf } from './branch.ts'
import type { Repository, Tree } from './git.ts'
import { whyOf } from './readme.ts'
import { branchOf, stepBefore } from './rules.ts'

/** The content of the branch of a step, and the parent of its commit. */
export interface Branch {
  readonly name: string
  readonly step: Step
  readonly tree: Tree
  readonly parent: string
  readonly commit: string
}

/**
 * Makes the commits of all steps from the commit of the whole project, each on top of the one before. No branch is
 * moved.
 */
export function commitSteps(repository: Repository, from: string): Branch[] {
  const whole = repository.readTree(from)
  const made: Branch[] = []
  for (const step of steps) {
    const parent = made.at(-1)?.commit ?? from
    const tree = treeOf(whole, step)
    const message = messageFor(whole, step)
    const commit = repository.writeCommit(tree, parent, message, from)
    made.push({ name: branchOf(step), step, tree, parent, commit })
  }
  return made
}

/** @throws UserError when a branch is checked out, or, unless `force` is set, when it has commits that were not made here */
export function placeBranches(repository: Repository, branches: readonly Branch[], force: boolean): void {
  const foreign = branches.find(({ name }) => !isOurs(repository, name))
  if (foreign && !force)
    throw new UserError(
      `${foreign.name} has commits that npm run branches did not make; keep them under another name, or give --force`,
    )
  for (const { name, commit } of branches)
    repository.run(['branch', '--quiet', '--force', '--no-track', name, commit])
}

/**
 * Whether a branch is absent, or was made here and not amended since: all commits that are made in one run have the dates of their
 * source commit.
 */
function isOurs(repository: Repository, name: string): boolean {
  const commit = repository.find(`refs/heads/${name}`)
  if (!commit) return true
  const dates = repository.run(['log', '-2', '--first-parent', '--format=%aI %cI', commit]).split('\n')
  const message = repository.run(['log', '-1', '--format=%B', commit])
  return new Set(dates).size === 1 && message.endsWith(`\n${TRAILER}: ${name}`)
}

/** This line identifies a commit that this command made, and whose branch it may therefore replace. */
const TRAILER = 'Step-Branch'

/** The message of the commit of a step: the move, its reason and its gain. */
export function messageFor(whole: Tree, step: Step): string {
  const before = stepBefore(step)
  const { name, composition } = step
  const concern = name as keyof typeof composition
  const title = before
    ? `perf(${name}): move ${before.composition[concern]} to ${composition[concern]}`
    : 'refactor: keep what the first step uses'
  return `${title}

${whyOf(whole, step)}

${TRAILER}: ${branchOf(step)}
`
}
