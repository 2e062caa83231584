import { isMainThread, type Worker } from 'node:worker_threads'

// Loaded into the example: SIGUSR2 ends every thread that it has started.
if (isMainThread) {
  const threads: Worker[] = []
  process.on('worker', thread => threads.push(thread))
  process.on('SIGUSR2', () => {
    for (const thread of threads.splice(0)) void thread.terminate()
  })
}
