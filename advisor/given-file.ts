import { readFileSync } from 'node:fs'
import { UserError } from '../lib/cli/user-error.ts'

/** Reads the file of an option. @throws UserError one line that names the option */
export function readGiven(option: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new UserError(`${option}: ${(error as Error).message}`)
  }
}

/** Reads the file of an option as JSON. @throws UserError one line that names the option and the file */
export function readGivenJson(option: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UserError(`${option}: ${file} cannot be read as JSON (${(error as Error).message})`)
  }
}
