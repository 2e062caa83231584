import type { Column } from '../../lib/cli/columns.ts'
import type { Repository } from './git.ts'
import { slidePaths } from './slide.ts'
import type { Branch } from './update.ts'

interface Change {
  readonly files: number
  readonly insertions: number
  readonly deletions: number
}

/** The size of the change of a branch: the code that runs on the main thread, and all files. */
export interface Size {
  readonly name: string
  readonly mainThread: Change
  readonly all: Change
}

export function sizeOf(
  repository: Repository,
  { name, parent, commit }: Pick<Branch, 'name' | 'parent' | 'commit'>,
): Size {
  const diff = ['diff', '--numstat', '--no-renames', parent, commit]
  return {
    name,
    mainThread: count(repository.run([...diff, '--', ...slidePaths])),
    all: count(repository.run(diff)),
  }
}

function count(numstat: string): Change {
  const rows = numstat
    .split('\n')
    .filter(Boolean)
    .map(line => line.split('\t').slice(0, 2).map(toLines))
  const sum = (column: 0 | 1) => rows.reduce((total, row) => total + (row[column] as number), 0)
  return { files: rows.length, insertions: sum(0), deletions: sum(1) }
}

/** For a binary file git prints `-`. */
const toLines = (cell: string) => (cell === '-' ? 0 : Number(cell))

const columnsOf = (title: string, part: 'mainThread' | 'all'): Column<Size>[] => [
  { title: `${title}: files`, cell: size => String(size[part].files) },
  { title: '+', cell: size => String(size[part].insertions) },
  { title: '-', cell: size => String(size[part].deletions) },
]

export const sizeColumns: readonly Column<Size>[] = [
  { title: 'branch', cell: ({ name }) => name },
  ...columnsOf('main thread', 'mainThread'),
  ...columnsOf('all', 'all'),
]
