import { load as loadWell } from './in-thread.ts'
import { withFaults } from './page.faulty.ts'

export { default, options, react } from './page.ts'

export const load = withFaults(loadWell)
