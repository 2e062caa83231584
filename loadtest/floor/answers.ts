import { demoQuery, orderAnswers } from '../../app/concerns/serialization/order-answers.ts'
import type { Answers } from '../../workers/answers.ts'
import type { Task } from '../../workers/tasks.ts'
import { FIRST_SEED, scenarios } from '../generator/scenarios.ts'
import type { FloorScenario } from './scenarios.ts'

/** The tasks of a request, which a thread runs at every step that has threads. */
const tasksOf: Partial<Record<FloorScenario, (seed: number) => readonly Task[]>> = {
  demo: seed => orderAnswers.DemoAnswer.tasks(demoQuery(seed)),
}

/** The threads of the floor load this file, and make the bodies of a scenario. */
export const createAnswers = (scenario: FloorScenario): Answers => ({
  tasksOf: input => tasksOf[scenario]?.(seedOf(input)) ?? [],
  begin(input, request) {
    request.report = []
    return () => ({ contentType: '', body: scenarios[scenario].body(seedOf(input)) })
  },
})

/** @param input the path of the request, in a list */
const seedOf = (input: unknown): number =>
  Number((input as readonly [string])[0].split('seed=')[1] ?? FIRST_SEED)
