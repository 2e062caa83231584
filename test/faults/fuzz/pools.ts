import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { createPageRenderer } from '../../../render/main-thread/index.ts'
import { createTaskPool, TaskPoolError } from '../../../workers/main-thread/index.ts'
import { Draw } from './draw.ts'
import { drawValue } from './odd-values.ts'

/** Number of tasks or parts that are under way at the same time. */
const BATCH = 100

const odd = new URL('./odd.ts', import.meta.url)
const NAMES = ['echo', 'returnValue', 'throwValue', 'rejectLater', 'returnThenable', 'postValue'] as const

/** Runs tasks that get, return and throw odd values. Each must end, and keep its thread. @returns the number of tasks */
export async function fuzzTasks(_: string, inputs: number, seed: number): Promise<number> {
  const draw = new Draw(seed)
  await using pool = await createTaskPool<typeof import('./odd.ts')>({ tasks: odd, threads: 1 })
  const thread = await pool.run('whichThread')
  const runOne = async () => {
    const name = draw.pick(NAMES)
    const taskSeed = draw.below(2 ** 31)
    const input = name === 'echo' ? drawValue(draw) : taskSeed
    try {
      await pool.run(name, input as number)
    } catch (error) {
      assert.ok(
        error instanceof TaskPoolError && error.cause instanceof Error,
        `${name}(${taskSeed}): ${error}`,
      )
      assert.equal(error.code, 'TASK_FAILED', `${name}(${taskSeed})`)
    }
  }
  let run = 0
  for (; run < inputs; run += BATCH) await Promise.all(Array.from({ length: BATCH }, runOne))
  assert.equal(await pool.run('whichThread'), thread, 'the thread was replaced')
  return run
}

/**
 * Renders parts that are or throw odd values. Each must have HTML or its fallback at once. React itself throws, and ends the
 * thread, when the getters of a value do.
 * @returns the number of parts
 */
export async function fuzzParts(_: string, inputs: number, seed: number): Promise<number> {
  const draw = new Draw(seed)
  const codes = new Set<string>()
  await using renderer = await createPageRenderer<typeof import('./odd.ts')>({
    parts: odd,
    threads: 1,
    partTimeoutMs: Number.POSITIVE_INFINITY,
    onFallback: error => codes.add(error.code),
  })
  let rendered = 0
  for (; rendered < inputs; rendered += BATCH) {
    const oddParts = Array.from({ length: BATCH }, () =>
      renderer.part('Odd', { seed: draw.below(2 ** 31), throws: draw.chance(0.8) }, { fallback: '-' }),
    )
    await text(await renderer.page(oddParts))
  }
  assert.equal(await text(await renderer.page([renderer.part('Right', {})])), 'right')
  for (const code of codes) assert.match(code, /^(RENDER_FAILED|THREAD_DIED)$/)
  return rendered
}
