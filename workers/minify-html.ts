import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { integer, type Values } from '../lib/cli/options.ts'
import { seedParameter } from '../lib/random.ts'

const parameters = {
  kib: integer({ min: 1, max: 256, default: '8', help: 'size of the page' }),
  seed: seedParameter,
} as const

/** About, in a page of some hundred items. */
const BYTES_PER_ITEM = 101

/** The first task loads the library, so that a thread without such tasks is not larger because of it. */
const load = (): typeof import('html-crush') =>
  createRequire(import.meta.url)(fileURLToPath(import.meta.resolve('html-crush')))

/** Minifies a page of HTML: spaces between elements and comments go. */
export const minifyHtml = {
  path: '/minify',
  parameters,
  run({ kib, seed }: Values<typeof parameters>) {
    const items = Array.from({ length: Math.ceil((kib * 1024) / BYTES_PER_ITEM) }, (_, at) =>
      writeItem(seed + at),
    )
    const options = { removeLineBreaks: true, removeHTMLComments: true, lineLengthLimit: 0 }
    return {
      html: load()
        .crush(`<ul>\n${items.join('')}</ul>\n`, options)
        .result.trim(),
    }
  },
} as const

const writeItem = (id: number): string => `  <li class="order">
    <!-- order ${id} -->
    <a href="/orders/${id}">order ${id} of this page</a>
  </li>
`
