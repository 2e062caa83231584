import type { Column } from '../../lib/cli/columns.ts'
import type { Repository, Tree } from './git.ts'
import { slidePaths } from './rules.ts'
import type { Branch } from './update.ts'

/** The size of a branch. */
export interface Size {
  readonly name: string
  readonly files: number
  /** Lines of its code, without tests. */
  readonly lines: number
  /** Lines that the step adds and removes on its slide; the first step has none. */
  readonly slide?: { readonly insertions: number; readonly deletions: number }
}

export const sizeOf = (
  repository: Repository,
  { name, step, tree, parent, commit }: Pick<Branch, 'name' | 'tree' | 'parent' | 'commit'> & Partial<Branch>,
): Size => ({
  name,
  files: tree.size,
  lines: countLines(tree),
  ...(step?.number !== 0 && {
    slide: readChange(
      repository.run(['diff', '--numstat', '--no-renames', parent, commit, '--', ...slidePaths]),
    ),
  }),
})

const isCode = (path: string) =>
  /\.(tsx?|m?js|css|html)$/.test(path) && !/\.(test|long|fixture)\.|^test\//.test(path)

function countLines(tree: Tree): number {
  const code = [...tree].filter(([path]) => isCode(path))
  return code.reduce((sum, [, { content }]) => sum + content.toString().split('\n').length - 1, 0)
}

/** @param numstat one line a file: insertions, deletions, path; `-` in place of the numbers of a binary file */
function readChange(numstat: string) {
  const rows = numstat.split('\n').map(line => line.split('\t').map(cell => Number(cell) || 0))
  const sum = (column: number) => rows.reduce((total, row) => total + (row[column] ?? 0), 0)
  return { insertions: sum(0), deletions: sum(1) }
}

export const sizeColumns: readonly Column<Size>[] = [
  { title: 'branch', cell: ({ name }) => name },
  { title: 'files', cell: ({ files }) => String(files) },
  { title: 'lines', cell: ({ lines }) => String(lines) },
  { title: 'slide: +', cell: ({ slide }) => String(slide?.insertions ?? '') },
  { title: '-', cell: ({ slide }) => String(slide?.deletions ?? '') },
]
