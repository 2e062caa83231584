import { buildOrdersPage } from './app/pages/build.ts'
import { buildScreen } from './screen/build.ts'
import { buildDeck } from './talk/deck/build.ts'

/** All pages. The branch of a step has only those that its processes serve. */
const builds = {
  orders: buildOrdersPage,
  screen: buildScreen,
  deck: buildDeck,
}

/** `npm run build` builds the code of browsers, which Node.js cannot run directly. */
await Promise.all(Object.values(builds).map(build => build()))
