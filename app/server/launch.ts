import type { AppConfig } from '../config.ts'

/**
 * Starts the app as several instances, if that is asked for. Their primary serves no requests, so it does not load the code of the
 * service.
 * @returns false if this process is to serve
 */
export async function isLaunched(config: AppConfig): Promise<boolean> {
  if (config.instances === 1) return false
  const { runInstances } = await import('./instances/primary.ts')
  await runInstances(config)
  return true
}
