import { subsetSum } from './subset-sum.ts'

/** The CPU tasks by name. A task is a pure, synchronous function of plain data, so it may run in any thread or process. */
export const tasks = { subsetSum }

export type Tasks = typeof tasks
export type TaskName = keyof Tasks
export type TaskInput<Name extends TaskName> = Parameters<Tasks[Name]>[0]
export type TaskOutput<Name extends TaskName> = ReturnType<Tasks[Name]>
