import { pbkdf2Sync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { IO_FILE, IO_ITERATIONS } from '../../app/routes.ts'
import { selectOrders } from '../../orders/catalogue.ts'
import type { Payload } from '../../orders/order.ts'
import { drawProblem } from '../../workers/subset-sum.ts'

/**
 * The right bodies, computed outside the app; where the computation itself is tested, they are computed in another
 * way.
 */

export const expectedHello = () => JSON.stringify({ hello: 'world' })

export const expectedCpu = (size: number, seed: number) => JSON.stringify(subsetSum(size, seed))

export const expectedLog = (count: number) => JSON.stringify({ count })

export const expectedSerialization = (count: number, payload: Payload, seed: number) =>
  JSON.stringify({ seed, payload, orders: selectOrders(count, payload, seed) })

const ioContent = readFileSync(IO_FILE)

export function expectedIo(seed: number): string {
  const digest = pbkdf2Sync(ioContent, String(seed), IO_ITERATIONS, 32, 'sha256').toString('hex')
  return JSON.stringify({ seed, digest, orderId: selectOrders(1, 'mixed', seed)[0]?.id })
}

export function expectedDemo(seed: number): string {
  const tasks = [13, 8].map(size => subsetSum(size, seed))
  return JSON.stringify({ seed, tasks, orders: selectOrders(15, 'mixed', seed) })
}

function subsetSum(size: number, seed: number) {
  const { numbers, target } = drawProblem(size, seed)
  return { seed, size, numbers, target, subsets: countSubsets(numbers, target) }
}

/**
 * Counts the non-empty subsets that add up to `target` by dynamic programming over sums. This takes microseconds,
 * while the app enumerates all subsets. See Cormen et al., Introduction to Algorithms, on the subset-sum problem.
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
