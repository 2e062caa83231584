import { buildPage } from '../apm-agent/live/build.ts'
import { DIST, PAGE } from './page-places.ts'

/** Bundles the stage view. */
export const buildStagePage = (): Promise<void> => buildPage(PAGE, DIST)
