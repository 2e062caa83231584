import { UserError } from '../../lib/cli/user-error.ts'
import type { Repository } from '../../release/branches/git.ts'
import { branchOf, commandFor, type NumberedExercise } from './exercises.ts'

/** This line identifies the commit that began an exercise. Everything after it is the learner's work. */
const TRAILER = 'Exercise-Branch'
/** A message names so many changed files. */
const MOST_NAMES = 5

/** Whether the branch of the exercise is checked out. */
export const isCurrent = (repository: Repository, exercise: NumberedExercise): boolean =>
  currentBranch(repository) === branchOf(exercise)

/** Whether the exercise has a branch. */
export const isBegun = (repository: Repository, exercise: NumberedExercise): boolean =>
  repository.find(`refs/heads/${branchOf(exercise)}`) !== undefined

/**
 * Switches to the branch of an exercise, and makes it first if there is none: main with the patch of the exercise.
 * Commits of the learner are never left behind or overwritten.
 * @returns whether the branch was made
 * @throws UserError when files have changes that are not committed, or when the patch does not fit
 */
export function goTo(repository: Repository, exercise: NumberedExercise): boolean {
  const isNew = !isBegun(repository, exercise)
  refuseChanges(repository, exercise)
  if (isNew) repository.run(['branch', branchOf(exercise), beginningOf(repository, exercise)])
  repository.run(['switch', '--quiet', branchOf(exercise)])
  return isNew
}

/** Makes the commit that begins an exercise. @returns its hash */
export function beginningOf(repository: Repository, { number, name, title }: NumberedExercise): string {
  const base = mainOf(repository)
  const patch = repository.read(['show', `${base}:talk/exercises/${name}/start.patch`])
  const branch = branchOf({ number, name })
  return repository.writePatched(base, patch, `exercise ${number}: ${title}\n\n${TRAILER}: ${branch}\n`)
}

/** The change that turns the learner's files into those of main. Empty if there is none. */
export function solutionOf(
  repository: Repository,
  exercise: NumberedExercise,
  options: readonly string[] = [],
) {
  const start = requireStart(repository, exercise)
  const files = filesOf(repository, exercise)
  // `-R` also turns the prefixes around.
  const prefixes = ['--src-prefix=b/', '--dst-prefix=a/']
  return repository.read(['diff', '-R', ...prefixes, ...options, `${start}^`, '--', ...files])
}

/** The files that the learner changes. */
export function filesOf(repository: Repository, exercise: NumberedExercise): string[] {
  const start = requireStart(repository, exercise)
  return repository.run(['diff', '--name-only', `${start}^`, start]).split('\n')
}

/**
 * Counts up the hints of an exercise. Git forgets the number with the branch, and renames it with it.
 * @returns the number of the hint to show, from 1 to `hints`
 */
export function nextHint(repository: Repository, exercise: NumberedExercise): number {
  requireStart(repository, exercise)
  const key = `branch.${currentBranch(repository) ?? branchOf(exercise)}.hints`
  const shown = Number(repository.run(['config', '--default', '0', key]))
  const next = Math.min(shown + 1, exercise.hints.length)
  repository.run(['config', key, String(next)])
  return next
}

/** The commit on which exercises are based: the present one, or the one on which the present exercise is based. */
function mainOf(repository: Repository): string {
  const start = findStart(repository, 'exercise-.*')
  return repository.run(['rev-parse', start ? `${start}^` : 'HEAD'])
}

const findStart = (repository: Repository, branch: string): string | undefined =>
  repository.run(['log', '-1', '--format=%H', `--grep=^${TRAILER}: ${branch}$`]) || undefined

/** @throws UserError when the present commit does not contain the beginning of the exercise */
export function requireStart(repository: Repository, exercise: NumberedExercise): string {
  const start = findStart(repository, branchOf(exercise))
  if (start) return start
  const place = currentBranch(repository) ?? 'a commit without a branch'
  const verb = isBegun(repository, exercise) ? 'continue' : 'begin'
  throw new UserError(
    `the work tree has ${place}, without exercise ${exercise.number}; ${verb} it with: ${commandFor(exercise)}`,
  )
}

const currentBranch = (repository: Repository): string | undefined =>
  repository.run(['branch', '--show-current']) || undefined

/** @throws UserError when files have changes that a switch would take along or overwrite */
function refuseChanges(repository: Repository, exercise: NumberedExercise): void {
  const changed = repository.run(['status', '--porcelain']).split('\n').filter(Boolean)
  if (changed.length === 0) return
  const names = changed.slice(0, MOST_NAMES).map(line => line.slice(3))
  const more = changed.length > MOST_NAMES ? ` and ${changed.length - MOST_NAMES} more` : ''
  throw new UserError(`these files have changes that are not committed: ${names.join(', ')}${more}
Keep them on their branch, ${currentBranch(repository) ?? 'this commit'}:  git add -A && git commit -m 'my work'
or put them aside:  git stash -u
Then:  ${commandFor(exercise)}`)
}
