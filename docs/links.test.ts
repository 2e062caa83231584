import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, test } from 'node:test'

const PROJECT = join(import.meta.dirname, '..')
const TOUR = 'docs/tour.md'

const documents = ['.', 'docs'].flatMap(folder =>
  readdirSync(join(PROJECT, folder))
    .filter(name => name.endsWith('.md'))
    .map(name => join(folder, name)),
)

const read = (document: string) => readFileSync(join(PROJECT, document), 'utf8')

/** Code between fences may have `#` and `[]` of its own. */
const proseOf = (document: string) => read(document).replace(/^```.*?^```/gms, '')

/** Targets of links, without those that lead to other sites. */
const linksOf = (document: string): string[] =>
  [...proseOf(document).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter(target => !/^[a-z]+:/.test(target))

/** The anchors of a document's headings, as GitHub makes them. */
const anchorsOf = (document: string): string[] =>
  [...proseOf(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

const folders = readdirSync(PROJECT, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(({ name }) => name)

/** Source files that a document names in code, such as `app/routes.ts`; patterns with `*` are not among them. */
const filesNamedBy = (document: string): string[] =>
  [...proseOf(document).matchAll(/`([\w./-]+\/[\w.-]+\.(?:tsx?|proto|sh))`/g)]
    .map(([, path = '']) => path)
    .filter(path => folders.includes(path.split('/')[0] as string))

describe('the documents', () => {
  for (const document of documents) {
    test(`${document}: every relative link leads to a file, and its anchor to a heading`, () => {
      for (const link of linksOf(document)) {
        const [path = '', anchor] = link.split('#')
        const target = path ? join(dirname(document), path) : document
        assert.ok(existsSync(join(PROJECT, target)), `${link}: there is no ${target}`)
        if (anchor) assert.ok(anchorsOf(target).includes(anchor), `${link}: ${target} has no such heading`)
      }
    })
  }

  for (const document of documents.filter(name => name !== 'CONTRIBUTING.md'))
    test(`${document}: every source file that it names exists`, () => {
      const missing = filesNamedBy(document).filter(path => !existsSync(join(PROJECT, path)))
      assert.deepEqual(missing, [])
    })
})

test('the tour shows each file once, under a name that is its path', () => {
  const stops = [...read(TOUR).matchAll(/^\d+\. \[(.+?)\]\((.+?)\)/gm)]
  const paths = stops.map(([, , target = '']) => resolve(PROJECT, dirname(TOUR), target))
  assert.ok(stops.length >= 10, `${stops.length} files`)
  assert.deepEqual(
    stops.map(([, name = '']) => resolve(PROJECT, name)),
    paths,
  )
  assert.equal(new Set(paths).size, paths.length)
})
