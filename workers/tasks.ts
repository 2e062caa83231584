import { subsetSum } from './subset-sum.ts'

/**
 * The CPU tasks by name. A task is a pure, synchronous function of plain data, so it may run in any thread or process.
 */
export const tasks = { subsetSum }

type Tasks = typeof tasks
type TaskName = keyof Tasks

/** A task to run: its name and its input. */
export interface Task<Name extends TaskName = TaskName> {
  readonly name: Name
  readonly input: Parameters<Tasks[Name]>[0]
}

export const task = <Name extends TaskName>(name: Name, input: Task<Name>['input']): Task<Name> => ({
  name,
  input,
})
