import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * Makes a directory that is removed after the test, or after all tests of a file.
 * @param files texts of files in it, by their paths
 */
export function temporaryDirectory(
  t: { after(remove: () => void): void },
  files: Readonly<Record<string, string>> = {},
): string {
  const directory = mkdtempSync(join(tmpdir(), 'test-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  return directory
}
