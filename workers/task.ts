import type { OptionTable } from '../lib/cli/options.ts'

/**
 * A CPU task: a pure, synchronous function of plain data, so it may run in any thread or process. The app makes a route
 * of it, whose query is the input and whose answer is the output.
 */
export interface TaskDefinition {
  /** The path of its route. */
  readonly path: string
  /** One line for the OpenAPI document. */
  readonly summary: string
  /** The fields of the input, as query parameters. Each has a default. */
  readonly parameters: OptionTable
  /** JSON Schema of the output. */
  readonly output: object
  run(input: never): unknown
}
