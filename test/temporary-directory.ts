import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes a directory that is removed after the test, or after all tests of a file. */
export function temporaryDirectory(t: { after(remove: () => void): void }): string {
  const directory = mkdtempSync(join(tmpdir(), 'test-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
