import { buildLivePage } from './apm-agent/live/build.ts'
import { buildFlameGraph } from './loadtest/report/build.ts'
import { buildOrdersPage } from './render/build.ts'

/** `npm run build`: what browsers run, which Node.js cannot run as it is. */
await Promise.all([buildOrdersPage(), buildLivePage(), buildFlameGraph()])
