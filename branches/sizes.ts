import type { Column } from '../lib/columns.ts'
import type { Repository } from './git.ts'
import type { Branch } from './update.ts'

interface Change {
  readonly files: number
  readonly insertions: number
  readonly deletions: number
}

/** How large the change of a branch is, in `app` and in all. */
export interface Size {
  readonly name: string
  readonly app: Change
  readonly all: Change
}

export const sizeOf = (repository: Repository, { name, parent, commit }: Branch): Size => ({
  name,
  app: count(repository.run(['diff', '--numstat', '--no-renames', parent, commit, '--', 'app'])),
  all: count(repository.run(['diff', '--numstat', '--no-renames', parent, commit])),
})

function count(numstat: string): Change {
  const rows = numstat
    .split('\n')
    .filter(Boolean)
    .map(line => line.split('\t').slice(0, 2).map(toLines))
  const sum = (column: 0 | 1) => rows.reduce((total, row) => total + (row[column] as number), 0)
  return { files: rows.length, insertions: sum(0), deletions: sum(1) }
}

/** Of a binary file git says `-`. */
const toLines = (cell: string) => (cell === '-' ? 0 : Number(cell))

const columnsOf = (part: 'app' | 'all'): Column<Size>[] => [
  { title: `${part}: files`, cell: size => String(size[part].files) },
  { title: '+', cell: size => String(size[part].insertions) },
  { title: '-', cell: size => String(size[part].deletions) },
]

export const sizeColumns: readonly Column<Size>[] = [
  { title: 'branch', cell: ({ name }) => name },
  ...columnsOf('app'),
  ...columnsOf('all'),
]
