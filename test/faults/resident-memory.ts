import type { Usage } from '../../app/server/usage.ts'
import { bytesToMiB } from '../../lib/units.ts'
import type { Stack } from '../../stack/stack.ts'

/** Resident memory of the app in MiB. */
export async function residentMiB(stack: Stack): Promise<number> {
  const response = await fetch(`${stack.address('app', 'admin')}/usage`)
  return bytesToMiB(((await response.json()) as Usage).total.residentBytes)
}
