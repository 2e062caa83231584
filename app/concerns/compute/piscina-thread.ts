import { workerData } from 'piscina'
import type { ProcessData } from '../../../workers/protocol.ts'
import { createRunJob } from './library-pool.ts'

export const runJob = await createRunJob(workerData as ProcessData)
