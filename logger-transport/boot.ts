import { readFileSync } from 'node:fs'
import { BOOT_FILE } from './protocol.ts'

/** Tells the running kernel from others, and from itself before it was started anew; null where it has no such name. */
export function readBoot(): string | null {
  try {
    return readFileSync(BOOT_FILE, 'utf8').trim()
  } catch {
    return null
  }
}
