import { hash } from 'node:crypto'
import { Piscina } from 'piscina'
import { Tinypool } from 'tinypool'
import { createTaskPool } from '../../workers/main-thread/index.ts'

const THREADS = 2
const bytes = new Uint8Array(2 ** 24)

/** A task whose cost V8 cannot change. Threads run it. */
export const hashed = (size: number): string => hash('sha256', bytes.subarray(0, size))

interface OpenPool {
  run(size: number): Promise<unknown>
  close(): Promise<unknown>
}

/** Starts a pool of each library, with two threads, which run `hashed`. */
export async function openPools(): Promise<Readonly<Record<string, OpenPool>>> {
  const tasks = new URL(import.meta.url)
  // The threads of the other pools have the priority of the process.
  const own = await createTaskPool<typeof import('./hop.ts')>({ tasks, threads: THREADS, workerPriority: 0 })
  const options = { filename: import.meta.filename, name: 'hashed', minThreads: THREADS, maxThreads: THREADS }
  const open = (pool: Pick<OpenPool, 'run'> & { destroy(): Promise<unknown> }): OpenPool => ({
    run: size => pool.run(size),
    close: () => pool.destroy(),
  })
  return {
    ours: { run: size => own.run('hashed', size), close: () => own.close() },
    Piscina: open(new Piscina(options)),
    'Piscina, 16 a thread': open(new Piscina({ ...options, concurrentTasksPerWorker: 16 })),
    Tinypool: open(new Tinypool(options)),
    'Tinypool, 16 a thread': open(new Tinypool({ ...options, concurrentTasksPerWorker: 16 })),
  }
}
