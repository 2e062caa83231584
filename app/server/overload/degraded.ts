import type { Route } from '../../route.ts'

/** Tells clients what an answer is without. It is the name of the need that was congested. */
export const degradedHeaders = { 'x-degraded': 'compute' } as const

/** The route as it answers when it is degraded: it does not need the pool of tasks. Undefined if it cannot be degraded. */
export const degrade = ({
  path,
  needs = [],
  handleDegraded,
}: Route): Required<Omit<Route, 'handleDegraded'>> | undefined =>
  handleDegraded && { path, needs: needs.filter(need => need !== 'compute'), handle: handleDegraded }
