import { runCommand } from '../../lib/cli/command.ts'
import { toggle } from '../../lib/cli/options.ts'
import { wrapParagraphs } from '../../lib/cli/terminal.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { Repository } from '../../release/branches/git.ts'
import { check } from './check.ts'
import { branchOf, commandFor, exercises, findExercise, type NumberedExercise } from './exercises.ts'
import { filesOf, goTo, isBegun, isCurrent, nextHint, requireStart, solutionOf } from './learner.ts'

const COLUMNS = 100
const say = (text: string) => process.stdout.write(`${wrapParagraphs(text, COLUMNS)}\n`)

type Action = (repository: Repository, exercise: NumberedExercise) => Promise<void>

/** The function that handles an exercise, for each option of the command; `begin` does it without any. */
const actions = { check: showCheck, hint: showHint, solution: showSolution } satisfies Record<string, Action>
const flags = Object.keys(actions) as (keyof typeof actions)[]

await runCommand({
  usage: 'npm run exercise -- [N] [--check | --hint | --solution]',
  description: `Begins or continues exercise N of the workshop on a branch of its own; without N, lists the exercises. The branch is
the present commit with a few lines taken out. What you commit there stays, whatever this command does later.

docs/workshop.md describes the workshop.`,
  options: {
    check: toggle({ help: 'say what is missing; exit code 1 if anything is' }),
    hint: toggle({ help: 'show the next hint' }),
    solution: toggle({ help: 'show the change from your files to a solution' }),
  },
  takesWords: true,
  async run(values, [word, ...others]) {
    const repository = new Repository(process.cwd())
    const [flag, another] = flags.filter(each => values[each])
    if (another) throw new UserError(`--${flag} and --${another} cannot be given together`)
    if (others.length > 0) throw new UserError(`one exercise at a time, not ${[word, ...others].join(' ')}`)
    if (word === undefined && flag) throw new UserError(`--${flag} needs the number of an exercise`)
    if (word === undefined) return listExercises(repository)
    const exercise = findExercise(word)
    if (!exercise) throw new UserError(`there is no exercise "${word}"; npm run exercise lists them`)
    await (flag ? actions[flag] : begin)(repository, exercise)
  },
})

async function listExercises(repository: Repository): Promise<void> {
  const stateOf = (exercise: NumberedExercise) =>
    isCurrent(repository, exercise) ? ' (you are here)' : isBegun(repository, exercise) ? ' (begun)' : ''
  const lines = exercises.map(
    exercise => `${exercise.number} ${exercise.name.padEnd(8)}  ${exercise.title}${stateOf(exercise)}`,
  )
  process.stdout.write(`${lines.join('\n')}\n\nBegin with:  npm run exercise -- 1\n`)
}

async function begin(repository: Repository, exercise: NumberedExercise): Promise<void> {
  const { number, name, title, task, symptom, table } = exercise
  if (!isCurrent(repository, exercise)) {
    const verb = goTo(repository, exercise) ? 'You begin' : 'You continue'
    process.stdout.write(`${verb} on the branch ${branchOf(exercise)}.\n\n`)
  }
  say(`Exercise ${number}, ${name}: ${title}\n\n${task}`)
  process.stdout.write(table ? `\n${await table()}\n\n` : '\n')
  const lines = [
    ...(symptom ? [`See it:        ${symptom.command}`, `               ${symptom.look}`] : []),
    `Change:        ${filesOf(repository, exercise).join('\n               ')}`,
    `What is left:  ${commandFor(exercise, 'check')}`,
    `If you stick:  ${commandFor(exercise, 'hint')}`,
    `Begin anew:    git branch -m my-${name} && ${commandFor(exercise)}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

async function showCheck(repository: Repository, exercise: NumberedExercise): Promise<void> {
  requireStart(repository, exercise)
  process.stdout.write(`Exercise ${exercise.number}, ${exercise.name}: ${exercise.title}\n\n`)
  const left = await check(exercise)
  process.stdout.write('\n')
  say(left === 0 ? `Done. ${exercise.after}` : `Missing: ${left}. A hint: ${commandFor(exercise, 'hint')}`)
  if (left > 0) process.exitCode = 1
}

async function showHint(repository: Repository, exercise: NumberedExercise): Promise<void> {
  const { hints } = exercise
  const shown = nextHint(repository, exercise)
  say(`Hint ${shown} of ${hints.length}: ${hints[shown - 1]}`)
  if (shown === hints.length) say(`That was the last one. A solution: ${commandFor(exercise, 'solution')}`)
}

async function showSolution(repository: Repository, exercise: NumberedExercise): Promise<void> {
  const color = process.stdout.isTTY ? ['--color=always'] : []
  const change = solutionOf(repository, exercise, color)
  process.stdout.write(change)
  const apply = `npm run --silent exercise -- ${exercise.number} --solution | git apply`
  process.stderr.write(change ? `to take it over: ${apply}\n` : 'your files are those of the solution\n')
}
