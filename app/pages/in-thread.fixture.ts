import { load as loadWell } from './in-thread.ts'
import { withTrap } from './page.fixture.ts'

export { default, options, react } from './page.ts'

export const load = withTrap(loadWell)
