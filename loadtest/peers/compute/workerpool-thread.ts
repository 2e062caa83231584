import { workerData } from 'node:worker_threads'
import { worker } from 'workerpool'
import { createRunJob } from '../../../app/concerns/compute/library-pool.ts'

worker({ runJob: await createRunJob(workerData) })
