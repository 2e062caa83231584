import { isMainThread } from 'node:worker_threads'
import { instrument } from './index.ts'

// Threads get the flags of their process. They are not recorded, because their runtime is not that of the service.
if (isMainThread) instrument()
