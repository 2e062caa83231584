import { workerData } from 'node:worker_threads'
import { ThreadWorker } from 'poolifier'
import { createRunJob } from '../../../app/concerns/compute/library-pool.ts'

/** poolifier takes the instance that this makes. */
export const worker = new ThreadWorker(await createRunJob(workerData))
