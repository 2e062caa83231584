import { workerData } from 'piscina'
import type { TaskFiles } from '../../../workers/job.ts'
import { createRunJob } from './library-pool.ts'

/** Runs a job in a thread of Piscina. */
export const runJob = await createRunJob(workerData as TaskFiles)
