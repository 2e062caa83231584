import { load as loadWell } from './in-thread.ts'
import { withFaults } from './page.faulty.ts'

export { default, options, react, setup } from './in-thread.ts'

/** The page with faults, for render threads that fetch its data. */
export const load = withFaults(loadWell)
