import type { Apm } from './concerns/apm/contract.ts'
import type { Compute } from './concerns/compute/contract.ts'
import { addDone, createPool, type Pool, poolReader } from './pool.ts'
import { Problem } from './problems.ts'

/** Instruments compute: every task becomes a span, and the pool is measured. Neither concern knows the other. */
export function instrumentTasks(compute: Compute, apm: Apm): Compute & { readonly pool: Pool } {
  const pool = createPool('compute', () => compute.readPool())
  apm.watch(poolReader(pool))
  return {
    ...compute,
    ...(compute.answer && { answer: instrumentAnswer(compute.answer, pool, apm) }),
    pool,
    async run(context, ...tasks) {
      const spans = tasks.map(({ name }) => apm.startWork('task', name, context.span))
      try {
        const traced = tasks.map((task, index) => ({ ...task, traceparent: apm.traceparent(spans[index]) }))
        const results = await compute.run(context, ...traced)
        for (const [index, result] of results.entries()) {
          apm.endWork(spans[index], result)
          addDone(pool, result)
        }
        return results
      } catch (error) {
        for (const span of spans) apm.failWork(span, error as Error)
        throw error
      }
    },
  }
}

type MakeAnswer = NonNullable<Compute['answer']>

const instrumentAnswer =
  (answer: MakeAnswer, pool: Pool, apm: Apm): MakeAnswer =>
  (context, call, tasks, settle) => {
    const spans = tasks.map(name => apm.startWork('task', name, context.span))
    answer(context, call, tasks, made => {
      const outcome = made instanceof Problem ? made : made.outcome
      spans.forEach((span, index) => {
        const result = made instanceof Problem ? undefined : made.results[index]
        if (result) {
          apm.endWork(span, result)
          addDone(pool, result)
        } else if (isOfTasks(outcome) || made instanceof Problem) apm.failWork(span, outcome as Problem)
        else apm.drop(span)
      })
      settle(made)
    })
  }

/** Whether an answer failed because of its tasks. If its data did not come, it has needed none of them. */
const isOfTasks = (outcome: unknown): outcome is Problem =>
  outcome instanceof Problem && !/^(UPSTREAM_|CLIENT_GONE$)/.test(outcome.code)
