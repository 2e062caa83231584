import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../lib/cli/user-error.ts'
import type { StageStep } from '../../screen/stage-messages.ts'

/** @throws UserError when there is no such directory of worktrees */
export function requireWorktrees(directory: string): void {
  if (!existsSync(directory))
    throw new UserError(
      `--worktrees: there is no ${directory}; npm run branches -- --worktrees ${directory} makes it`,
    )
}

/** The file that a step is about, in the worktree of its branch: the implementation that it moves to. */
export const fileOf = (
  directory: string,
  { number, name, move }: Pick<StageStep, 'number' | 'name' | 'move'>,
): string =>
  join(
    directory,
    `step-${number}-${name}`,
    move ? `app/concerns/${move.concern}/${move.to}.ts` : 'app/concerns.ts',
  )

/**
 * Opens a file in the editor of the speaker, in a window of its own: the terminal belongs to the stage.
 * @param editor a command, which may have arguments, such as `code --reuse-window`
 */
export function openInEditor(
  file: string,
  editor = process.env.VISUAL ?? process.env.EDITOR ?? 'code',
): void {
  const [program = 'code', ...args] = editor.split(' ')
  const child = spawn(program, [...args, file], { stdio: 'ignore', detached: true })
  child.on('error', error => process.stderr.write(`cannot open ${file} with ${program} (${error.message})\n`))
  child.unref()
}
