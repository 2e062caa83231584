import { workerData } from 'node:worker_threads'
import { createRunJob } from '../../../app/concerns/compute/library-pool.ts'

/** Runs a job in a thread of Tinypool, whose own data is the first of two. */
export const runJob = await createRunJob(workerData[1])
