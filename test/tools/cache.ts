import { join } from 'node:path'

/** Tools that npm does not have are installed here. They stay until the next `npm ci`. */
export const toolDirectory = (name: string, version: string): string =>
  join(import.meta.dirname, '../../node_modules/.cache', `${name}-${version}`)
