/** An exercise of the workshop. Its branch is main with the patch `talk/exercises/NAME/start.patch`, so main is its solution. */
export interface Exercise {
  /** The name of its folder, which has the points of its check. */
  readonly name: string
  readonly title: string
  /** The task, in paragraphs that are separated by an empty line. */
  readonly task: string
  /** A command that shows the symptom, and where to look at it; undefined if only the check shows it. */
  readonly symptom?: { readonly command: string; readonly look: string }
  /** Each hint says more than the one before. */
  readonly hints: readonly string[]
  /** The text for a learner whose check passes: things to look at, and questions. */
  readonly after: string
  /** Makes a table that the task needs. */
  readonly table?: () => Promise<string>
}

/** An exercise with its place in the workshop, from 1. */
export interface NumberedExercise extends Exercise {
  readonly number: number
}

/** The name of the branch of an exercise, such as `exercise-1-pool`. */
export const branchOf = ({ number, name }: Pick<NumberedExercise, 'number' | 'name'>): string =>
  `exercise-${number}-${name}`

/** The command that a message tells the learner to type. */
export const commandFor = ({ number }: Pick<NumberedExercise, 'number'>, flag = ''): string =>
  `npm run exercise -- ${number}${flag && ` --${flag}`}`
