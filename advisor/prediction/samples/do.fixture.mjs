import { hashPassword, renderOrders, score } from './tasks.fixture.mjs'

const tasks = { hashPassword, renderOrders, score }

/** Runs a task here, or in a pool of threads. */
async function createRun() {
  if (!process.env.POOL) return (name, input) => tasks[name](input)
  const { createTaskPool } = await import('@main-thread/workers')
  const pool = await createTaskPool({ tasks: new URL('tasks.fixture.mjs', import.meta.url) })
  return (name, input) => pool.run(name, input)
}

export const run = await createRun()
