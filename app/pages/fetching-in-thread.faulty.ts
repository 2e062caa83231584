import { load as loadWell } from './fetching-in-thread.ts'
import { withFaults } from './page.faulty.ts'

export { default, options, react, setup } from './fetching-in-thread.ts'

export const load = withFaults(loadWell)
