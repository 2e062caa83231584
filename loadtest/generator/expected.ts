import { demoQuery, orderAnswers } from '../../app/answers/order-answers.ts'
import type { TracedTask } from '../../app/concerns/compute/contract.ts'
import { selectOrders } from '../../orders/catalogue.ts'
import type { Payload } from '../../orders/order.ts'
import { drawProblem } from '../../workers/subset-sum.ts'

/** The right bodies, computed outside the app; where the computation itself is tested, in another way. */

export const expectedHello = () => JSON.stringify({ hello: 'world' })

export const expectedCpu = (size: number, seed: number) => JSON.stringify(subsetSum({ size, seed }))

export const expectedLog = (count: number) => JSON.stringify({ count })

export const expectedSerialization = (count: number, payload: Payload, seed: number) =>
  JSON.stringify({ seed, payload, orders: selectOrders(count, payload, seed) })

export function expectedDemo(seed: number): string {
  const { tasks, compose } = orderAnswers.DemoAnswer
  const query = demoQuery(seed)
  const outputs = tasks(query).map(expectedTask)
  return JSON.stringify(compose(query, selectOrders(query.count, query.payload, seed), outputs))
}

/** The right outputs of the tasks that scenarios run, by the names of the tasks. */
const outputs: Readonly<Record<string, (input: never) => unknown>> = { subsetSum }

export const hasShorterWay = ({ name }: Pick<TracedTask, 'name'>): boolean => name in outputs

/** The right output of a task, by a shorter way than that of the task. */
export function expectedTask({ name, input }: Pick<TracedTask, 'name' | 'input'>): unknown {
  const compute = outputs[name]
  if (!compute) throw new Error(`loadtest/generator/expected.ts lacks the right output of the task ${name}`)
  return compute(input as never)
}

function subsetSum({ size, seed }: { readonly size: number; readonly seed: number }) {
  const { numbers, target } = drawProblem(size, seed)
  return { seed, size, numbers, target, subsets: countSubsets(numbers, target) }
}

/**
 * Counts the non-empty subsets that add up to `target` by dynamic programming over sums, in microseconds; the app enumerates them.
 * See Cormen et al., Introduction to Algorithms, on the subset-sum problem.
 */
function countSubsets(numbers: readonly number[], target: number): number {
  const ways = new Array<number>(target + 1).fill(0)
  ways[0] = 1
  for (const number of numbers) {
    for (let sum = target; sum >= number; sum--)
      ways[sum] = (ways[sum] as number) + (ways[sum - number] as number)
  }
  return (ways[target] as number) - (target === 0 ? 1 : 0)
}
