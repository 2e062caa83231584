import { buildPage } from '../../apm-agent/live/build.ts'
import { STAGE } from './page-places.ts'

/** Bundles the stage view. */
export const buildStagePage = (): Promise<void> => buildPage(STAGE.page, STAGE.dist)
