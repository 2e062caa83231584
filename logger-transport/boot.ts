import { readFileSync } from 'node:fs'
import { BOOT_FILE } from './protocol.ts'

/**
 * Returns the boot id of the running kernel, or null if the kernel has none. The id differs from that of every other
 * kernel, and changes at each start.
 */
export function readBoot(): string | null {
  try {
    return readFileSync(BOOT_FILE, 'utf8').trim()
  } catch {
    return null
  }
}
