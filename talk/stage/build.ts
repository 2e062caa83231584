import { buildPage } from '../../apm-agent/live/build.ts'
import { STAGE } from './page-places.ts'

/** Bundles the stage view. */
export async function buildStagePages(): Promise<void> {
  await buildPage(STAGE.page, STAGE.dist)
}
