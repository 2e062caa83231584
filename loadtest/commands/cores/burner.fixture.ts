import { threadCpuUsage } from 'node:process'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/**
 * A control program whose CPU time is known. `node burner.fixture.ts THREADS` lets so many threads burn CPU time all the time. `node
 * burner.fixture.ts THREADS MS` lets threads wake each other in a ring, each after so many milliseconds of CPU time: only one of them runs
 * at a time.
 */
if (isMainThread) {
  const [, , threads, turnMs = '0'] = process.argv
  const ring = Array.from(
    { length: Number(threads) },
    () => new Worker(import.meta.filename, { workerData: Number(turnMs) }),
  )
  for (const [index, worker] of ring.entries())
    worker.on('message', () => ring[(index + 1) % ring.length]?.postMessage('next'))
  await Promise.all(ring.map(worker => new Promise(resolve => worker.once('online', resolve))))
  ring[0]?.postMessage('next')
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
} else {
  const burn = () => {
    const until = cpuMicros() + workerData * 1000
    while (workerData === 0 || cpuMicros() < until);
    parentPort?.postMessage('done')
  }
  if (workerData === 0) burn()
  else parentPort?.on('message', burn)
}

function cpuMicros(): number {
  const { user, system } = threadCpuUsage()
  return user + system
}
