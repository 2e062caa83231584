import { type Step, steps } from '../../app/steps.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { treeOf } from './branch.ts'
import { figuresOf, showFigures } from './figures.ts'
import type { Repository, Tree } from './git.ts'
import { branchOf, stepBefore } from './names.ts'
import { reasonOf } from './readme.ts'

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

/**
 * Moves all branches at once.
 * @throws UserError when a branch is checked out, or, unless `force` is set, when a branch has commits that were not
 * made here
 */
export function placeBranches(repository: Repository, branches: readonly Branch[], force: boolean): void {
  const old = new Map(branches.map(({ name }) => [name, repository.find(refOf(name))]))
  refuseCheckedOut(repository, [...old.keys()])
  if (!force) for (const [name, commit] of old) refuseForeign(repository, name, commit)
  const updates = branches.map(
    ({ name, commit }) => `update ${refOf(name)} ${commit} ${old.get(name) ?? '0'.repeat(commit.length)}\n`,
  )
  repository.run(['update-ref', '--stdin', '-m', 'npm run branches'], { input: updates.join('') })
}

const refOf = (branch: string) => `refs/heads/${branch}`

/** @throws UserError when the branch has commits that this command did not make */
function refuseForeign(repository: Repository, name: string, commit: string | undefined): void {
  if (!commit || isUntouched(repository, commit, name)) return
  throw new UserError(
    `${name} has commits that npm run branches did not make; keep them under another name, or give --force`,
  )
}

/**
 * Whether the branch was made here and not amended since: all commits that are made in one run have the dates of their
 * source commit.
 */
function isUntouched(repository: Repository, commit: string, name: string): boolean {
  const dates = repository.run(['log', '-2', '--first-parent', '--format=%aI %cI', commit]).split('\n')
  return new Set(dates).size === 1 && isOurs(repository.run(['log', '-1', '--format=%B', commit]), name)
}

/** @throws UserError when a branch is checked out in some work tree */
function refuseCheckedOut(repository: Repository, names: readonly string[]): void {
  const trees = repository.run(['worktree', 'list', '--porcelain']).split('\n\n')
  for (const tree of trees) {
    const name = names.find(each => tree.split('\n').includes(`branch ${refOf(each)}`))
    if (!name) continue
    const at = /^worktree (.*)/.exec(tree)?.[1]
    const remedy = /^prunable /m.test(tree)
      ? ', which is gone; run git worktree prune'
      : '; check out another branch there'
    throw new UserError(`${name} is checked out in ${at}${remedy}`)
  }
}

/** This line identifies a commit that this command made, and whose branch it may therefore replace. */
const TRAILER = 'Step-Branch'

/** The message of the commit of a step: the move, its reason, and its gain. */
export function messageFor(whole: Tree, step: Step): string {
  const before = stepBefore(step)
  const { name, composition } = step
  const concern = name as keyof typeof composition
  const title = before
    ? `perf(${name}): move ${before.composition[concern]} to ${composition[concern]}`
    : 'refactor: keep what the first step uses'
  return `${title}

${reasonOf(whole, step)}

${showFigures(figuresOf(whole, step))}

${TRAILER}: ${branchOf(step)}
`
}

const isOurs = (message: string, branch: string): boolean =>
  message.trimEnd().endsWith(`\n${TRAILER}: ${branch}`)
