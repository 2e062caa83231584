import { integer, type Values } from '../lib/cli/options.ts'
import { seedParameter } from '../lib/random.ts'

const parameters = {
  kib: integer({ min: 1, max: 8192, default: '256', help: 'size of the document' }),
  seed: seedParameter,
} as const

interface Line {
  readonly id: number
  readonly name: string
  readonly price: number
}

/** About, in a document of some thousand lines. */
const BYTES_PER_LINE = 54
/** The documents of this thread, by their sizes, so that a task only reads one. */
const documents = new Map<number, string>()

/** Parses a large JSON document, and finds the name of one of its lines. */
export const readDocument = {
  path: '/document',
  parameters,
  run({ kib, seed }: Values<typeof parameters>) {
    const text = documents.get(kib) ?? writeDocument(kib)
    documents.set(kib, text)
    const lines: readonly Line[] = JSON.parse(text)
    return { lines: lines.length, name: lines[seed % lines.length]?.name }
  },
} as const

function writeDocument(kib: number): string {
  const count = Math.ceil((kib * 1024) / BYTES_PER_LINE)
  const lines = Array.from(
    { length: count },
    (_, id): Line => ({ id, name: `line ${id} of this text`, price: id % 100 }),
  )
  return JSON.stringify(lines)
}
