import type { OptionTable } from '../lib/cli/options.ts'
import { record } from '../lib/record.ts'
import { hashPassword } from './hash-password.ts'
import { minifyHtml } from './minify-html.ts'
import { readDocument } from './read-document.ts'
import { subsetSum } from './subset-sum.ts'

/**
 * A CPU task: a pure, synchronous function of plain data, so it may run in any thread or process. The app makes a route
 * of it, whose query is the input and whose answer is the output.
 */
export interface TaskDefinition {
  /** The path of its route. */
  readonly path: string
  /** The fields of the input, as query parameters. Each has a default. */
  readonly parameters: OptionTable
  run(input: never): unknown
}

/** The CPU tasks by name, one line a task. The routes of the tasks follow from this table. */
export const taskTable = {
  subsetSum,
  hashPassword,
  readDocument,
  minifyHtml,
} as const satisfies Record<string, TaskDefinition>

type TaskTable = typeof taskTable
export type TaskName = keyof TaskTable
export const taskNames = Object.keys(taskTable) as TaskName[]

/** The functions of the tasks by name. Threads and processes load them. */
export const tasks = record(taskNames, name => taskTable[name].run)

/** A task to run: its name and its input. */
export interface Task<Name extends TaskName = TaskName> {
  readonly name: Name
  readonly input: Parameters<TaskTable[Name]['run']>[0]
}

/** The results of tasks, in their order. */
export type Outputs<Name extends TaskName> = readonly ReturnType<TaskTable[Name]['run']>[]
