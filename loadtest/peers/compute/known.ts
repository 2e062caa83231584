import { createCompute as createInline } from '../../../app/concerns/compute/inline.ts'
import type { CreatePool } from '../../../app/concerns/compute/library-pool.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { expectedTask, hasShorterWay } from '../../generator/expected.ts'

/**
 * The floor: the outputs of tasks in microseconds, by a shorter way, on the main thread. Answers, and tasks without a shorter way,
 * are computed inline.
 */
export const createCompute: CreatePool = async options => {
  const inline = await createInline(options)
  return {
    ...inline,
    async run(context, ...tasks) {
      if (!tasks.every(hasShorterWay)) return inline.run(context, ...tasks)
      const askedAtMs = monotonicMs()
      return tasks.map(task => ({ output: expectedTask(task), waitMs: 0, runMs: monotonicMs() - askedAtMs }))
    },
  }
}
