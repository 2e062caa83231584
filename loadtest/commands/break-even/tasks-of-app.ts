import { record } from '../../../lib/record.ts'
import { type Task, type TaskName, taskNames, taskTable } from '../../../workers/tasks.ts'
import type { BurnInput } from './tasks.ts'

/** The tasks of the app, each as long as is asked for: its smallest input is run again and again. */
export const tasks = record(taskNames, repeated)

function repeated(name: TaskName) {
  const { run } = taskTable[name]
  const input = smallestInputOf(name)
  return ({ iterations, payload }: BurnInput): string => {
    for (let index = 0; index < iterations; index++) run(input as never)
    return payload
  }
}

export function smallestInputOf(name: TaskName): Task['input'] {
  const { parameters } = taskTable[name]
  return Object.fromEntries(Object.entries(parameters).map(([key, { min }]) => [key, min])) as never
}
