import { join } from 'node:path'

/**
 * Lets the processes of `npm test` share compiled code of Node.js: a start then takes about half the CPU time. Each
 * test file is a process, and most start further ones. Only tests use this cache: `npm start`, the load test and `npm
 * run faults` compile as users' processes do.
 */
export function globalSetup(): void {
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/compile')
}
