/** Output is made for terminals of this width, and of every larger one. */
const LEAST_COLUMNS = 60

/**
 * The width of the terminal that shows the output, in characters, and at least 60; undefined if the output goes to a
 * file or a pipe and no variable `COLUMNS` says how it will be shown.
 */
export function terminalColumns(): number | undefined {
  const columns = process.stdout.columns || Number.parseInt(process.env.COLUMNS ?? '', 10)
  return columns > 0 ? Math.max(columns, LEAST_COLUMNS) : undefined
}
