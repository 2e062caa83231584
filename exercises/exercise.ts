/** One expectation of a check. */
export interface Point {
  /** A sentence that says what should be so. */
  readonly expects: string
  /** The file to look at if it is not so, and what to look for. */
  readonly look: string
  /** @returns what is so instead, in a sentence; undefined if all is as expected */
  see(): Promise<string | undefined>
}

/** An exercise of the workshop. Its branch is main with the patch `exercises/NAME/start.patch`, so main is its solution. */
export interface Exercise {
  /** The name of its folder. */
  readonly name: string
  readonly title: string
  /** The task, in paragraphs that are separated by an empty line. */
  readonly task: string
  /** What shows the symptom, if anything does besides the check: a command, and where to look. */
  readonly symptom?: { readonly command: string; readonly look: string }
  /** Each hint says more than the one before. */
  readonly hints: readonly string[]
  /** What to see and ask once the check passes. */
  readonly after: string
  /** Makes a table that the task needs. */
  readonly table?: () => Promise<string>
  /** Loads the expectations of its check, and with them the files that the learner changes. */
  loadPoints(): Promise<readonly Point[]>
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
