import { parentPort, workerData } from 'node:worker_threads'
import { demoQuery, orderAnswers } from '../../app/answers/order-answers.ts'
import { lowerPriority } from '../../lib/os/lower-priority.ts'
import { tasks } from '../../workers/tasks.ts'
import { FIRST_SEED, scenarios } from '../generator/scenarios.ts'
import type { FloorScenario } from './rows.ts'

/** The data that a thread gets when it starts. */
export interface ThreadData {
  readonly scenario: FloorScenario
  /** Nice value, see `lowerPriority`. */
  readonly priority: number
}

const { scenario, priority } = workerData as ThreadData
lowerPriority(priority)

/** Makes the body of an answer. For a `/demo`, its tasks run first, as in every thread of the app. */
function makeBody(path: string): string {
  const seed = Number(path.split('seed=')[1] ?? FIRST_SEED)
  if (scenario === 'demo')
    for (const { name, input } of orderAnswers.DemoAnswer.tasks(demoQuery(seed))) tasks[name](input as never)
  return scenarios[scenario].body(seed)
}

/** A message is a list of paths, and its reply the list of their bodies. */
parentPort?.on('message', (paths: readonly string[]) => parentPort?.postMessage(paths.map(makeBody)))
