/** One of two things to compare: a command, and where it runs. */
export interface Side {
  /** Names it for people. */
  readonly name: string
  /** A command for the shell. `{port}` in it is the port on which it has to listen. */
  readonly command: string
  readonly directory: string
  /** The directories in which its programs are looked for, as in the variable PATH. */
  readonly path: string
}

export interface Sides {
  readonly before: Side
  readonly after: Side
}
