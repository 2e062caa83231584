import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { UserError } from '../cli/user-error.ts'

/**
 * Writes a file completely or not at all, and makes the directories above it.
 * @throws UserError when it cannot be written
 */
export const saveFile = (path: string, text: string): void =>
  replaceFile(path, temporary => writeFileSync(temporary, text))

/**
 * Replaces `path` by the file or directory that `create` makes, completely or not at all.
 * @throws UserError when it cannot be written
 */
export function replaceFile(path: string, create: (temporary: string) => void): void {
  const temporary = `${path}.${process.pid}.part`
  try {
    mkdirSync(dirname(path), { recursive: true })
    create(temporary)
    renameSync(temporary, path)
  } catch (error) {
    if (existsSync(temporary)) rmSync(temporary)
    throw new UserError(`cannot write ${relative('.', path)} (${(error as NodeJS.ErrnoException).code})`)
  }
}
