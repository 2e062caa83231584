export { ThreadPool } from '../../lib/main-thread/thread-pool.ts'
