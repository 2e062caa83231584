import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { UserError } from './user-error.ts'

/**
 * Writes a file whole or not at all, and the directories that it is in.
 * @throws UserError when it cannot be written
 */
export const saveFile = (path: string, text: string): void =>
  replaceFile(path, part => writeFileSync(part, text))

/**
 * Puts what `create` makes in the place of `path`, whole or not at all.
 * @throws UserError when it cannot be written
 */
export function replaceFile(path: string, create: (part: string) => void): void {
  const part = `${path}.${process.pid}.part`
  try {
    mkdirSync(dirname(path), { recursive: true })
    create(part)
    renameSync(part, path)
  } catch (error) {
    if (existsSync(part)) rmSync(part)
    throw new UserError(`cannot write ${relative('.', path)} (${(error as NodeJS.ErrnoException).code})`)
  }
}
