import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The shell has no window and needs less CPU time. */
const browsers = ['chromium-headless-shell', 'chromium']

/** The path of a Chromium; undefined if there is none on PATH. */
export const browserPath: string | undefined = browsers
  .flatMap(name => (process.env.PATH ?? '').split(delimiter).map(directory => join(directory, name)))
  .find(file => existsSync(file))

/** Chromium's sandbox does not run as root. */
export const browserFlags = ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
