import type { AppConfig } from './config.ts'

/** How the app runs as several instances: a table of one row, which the branch of a step loses. */
export const launchers: Readonly<
  Record<string, () => Promise<{ runInstances(config: AppConfig): Promise<void> }>>
> = {
  instances: () => import('./server/instances/run.ts'),
}
