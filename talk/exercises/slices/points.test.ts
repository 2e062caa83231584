import { setImmediate as turn } from 'node:timers/promises'
import { drawProblem, subsetSum } from '../../../workers/subset-sum.ts'
import { expectPoints } from '../point.fixture.ts'
import { countInSlices } from './count-in-slices.ts'

const FILE = 'talk/exercises/slices/count-in-slices.ts'
/** Half a million subsets, which take more than ten slices on any machine. */
const LONG_SIZE = 19
const LEAST_TURNS = 5
const never = new AbortController().signal

async function seeCount() {
  const { numbers, target, subsets } = subsetSum.run({ size: 12, seed: 3 })
  const count = await countInSlices(numbers, target, never)
  return count === subsets ? undefined : `${count} subsets instead of ${subsets}`
}

async function seeTimer() {
  const events: string[] = []
  const timer = new Promise<unknown>(resolve => setTimeout(() => resolve(events.push('timer')), 1))
  const { numbers, target } = drawProblem(LONG_SIZE, 1)
  const task = countInSlices(numbers, target, never).then(() => events.push('task'))
  await Promise.all([timer, task])
  return events[0] === 'timer' ? undefined : 'a timer of one millisecond was called after the whole task'
}

async function seeLeaving() {
  const client = new AbortController()
  const { numbers, target } = drawProblem(LONG_SIZE, 1)
  const task = countInSlices(numbers, target, client.signal).then(
    () => 'the task was finished',
    () => undefined,
  )
  for (let turns = 0; turns < LEAST_TURNS; turns++) await turn()
  client.abort()
  return task
}

expectPoints([
  {
    expects: 'the count is that of the task in one piece',
    look: `${FILE}: no subset may be left out between two slices`,
    see: seeCount,
  },
  {
    expects: 'a timer that is due is called before the task is done',
    look: `${FILE}: \`await\` alone does not let the event loop turn, if the promise is resolved already;
\`process.nextTick\` and \`queueMicrotask\` come before timers, \`setImmediate\` after them`,
    see: seeTimer,
  },
  {
    expects: 'a task whose client leaves after five turns of the event loop stops at the next slice',
    look: `${FILE}: the signal has to be looked at after each turn`,
    see: seeLeaving,
  },
])
