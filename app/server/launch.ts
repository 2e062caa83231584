import type { AppConfig } from '../config.ts'

/**
 * Starts the app as several instances, if that is asked for. Their primary serves no requests, so it does not load the code of the
 * service.
 * @returns false if this process is to serve
 */
export async function isLaunched({ uvThreads, ...config }: AppConfig): Promise<boolean> {
  // libuv reads UV_THREADPOOL_SIZE when its pool is used for the first time, which is later.
  if (uvThreads !== undefined) process.env.UV_THREADPOOL_SIZE = String(uvThreads)
  if (config.instances === 1) return false
  const { runInstances } = await import('./instances/run.ts')
  await runInstances({ uvThreads, ...config })
  return true
}
