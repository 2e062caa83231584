import type { AppConfig } from './config.ts'

/** How the app runs as several instances; the branch of a step cannot. */
export const launchers: Readonly<
  Record<string, () => Promise<{ runInstances(config: AppConfig): Promise<void> }>>
> = {
  instances: () => import('./server/instances/run.ts'),
}
