import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { types } from 'node:util'
import { type InstrumentOptions, instrument } from '../../../apm-agent/main-thread/index.ts'
import { type SegmentsOptions, segments } from '../../../logger-transport/main-thread/index.ts'
import { createPageRenderer } from '../../../render/main-thread/index.ts'
import { createTaskPool, TaskPoolError } from '../../../workers/main-thread/index.ts'
import { Draw } from './draw.ts'
import { drawValue } from './odd-values.ts'

/** Number of tasks or parts that are under way at the same time. */
const BATCH = 100

const tasks = new URL('./odd-tasks.ts', import.meta.url)
const parts = new URL('./odd-parts.ts', import.meta.url)

/** Runs tasks that get, return and throw odd values. Each must end, and keep its thread. @returns the number of tasks */
export async function fuzzTasks(_: string, inputs: number, seed: number): Promise<number> {
  const draw = new Draw(seed)
  await using pool = await createTaskPool<typeof import('./odd-tasks.ts')>({ tasks, threads: 1 })
  const thread = await pool.run('whichThread')
  const runOne = async () => {
    const name = draw.pick([
      'echo',
      'returnValue',
      'throwValue',
      'rejectLater',
      'returnThenable',
      'postValue',
    ] as const)
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
  await using renderer = await createPageRenderer<typeof import('./odd-parts.ts')>({
    parts,
    threads: 1,
    partTimeoutMs: Number.POSITIVE_INFINITY,
    onFallback: error => codes.add(error.code),
  })
  let rendered = 0
  for (; rendered < inputs; rendered += BATCH) {
    const odd = Array.from({ length: BATCH }, () =>
      renderer.part('Odd', { seed: draw.below(2 ** 31), throws: draw.chance(0.8) }, { fallback: '-' }),
    )
    await text(await renderer.page(odd))
  }
  assert.equal(await text(await renderer.page([renderer.part('Right', {})])), 'right')
  for (const code of codes) assert.match(code, /^(RENDER_FAILED|THREAD_DIED)$/)
  return rendered
}

const names = ['threads', 'workerMemoryMib', 'workerPriority']
const creators = [
  { create: createTaskPool, right: { tasks }, names: [...names, 'tasks', 'taskTimeoutMs', 'maxWaitMs'] },
  { create: createPageRenderer, right: { parts }, names: [...names, 'parts', 'partTimeoutMs', 'onFallback'] },
  {
    create: async (options: SegmentsOptions) => segments(options),
    right: { directory: 'never made' },
    names: ['memoryMib', 'diskMib'],
  },
  { create: async (options: InstrumentOptions) => instrument(options), right: {}, names: ['memoryMib'] },
] as const

/** Gives packages an odd option. Each must be refused in one line that names it. @returns the number of calls */
export async function fuzzOptions(_: string, inputs: number, seed: number): Promise<number> {
  const draw = new Draw(seed)
  for (let input = 0; input < inputs; input++) {
    const { create, right, names } = draw.pick(creators)
    const name = draw.pick([...names, draw.text(8)])
    const value = drawValue(draw)
    await assert.rejects(
      (create as (options: object) => Promise<unknown>)({ ...right, [name]: mayBeRight(value) ? '' : value }),
      error => error instanceof RangeError && error.message.includes(name) && !error.message.includes('\n'),
    )
  }
  return inputs
}

/** Whether some option accepts this value: it would start threads. */
const mayBeRight = (value: unknown): boolean =>
  [undefined, 0, Number.POSITIVE_INFINITY].includes(value as number) ||
  typeof value === 'function' ||
  (types.isProxy(value) ? false : value instanceof URL)
