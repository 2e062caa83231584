import { buildLivePage } from './apm-agent/live/build.ts'
import { buildFlameGraph } from './loadtest/report/build.ts'
import { buildOrdersPage } from './render/build.ts'

/** `npm run build` builds the code of browsers, which Node.js cannot run directly. */
await Promise.all([buildOrdersPage(), buildLivePage(), buildFlameGraph()])
