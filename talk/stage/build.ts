import { buildPage } from '../../apm-agent/live/build.ts'
import { AUDIENCE, STAGE } from './page-places.ts'

/** Bundles the stage view, and the page of the audience. */
export async function buildStagePages(): Promise<void> {
  await Promise.all([STAGE, AUDIENCE].map(({ page, dist }) => buildPage(page, dist)))
}
