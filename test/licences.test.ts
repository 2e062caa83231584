import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { licenceFilesIn, licencesOf } from '../lib/build/licences.ts'
import { contentOf, isKept } from '../release/images/content.ts'
import { images } from '../release/images/table.ts'

const ROOT = join(import.meta.dirname, '..')

/** Packages that are published without the text of their licence, each with a package that has the same licence. */
const withoutText: Readonly<Record<string, string>> = {
  'node_modules/@assemblyscript/loader': 'node_modules/@opentelemetry/api',
}

describe('the licence of every package', () => {
  for (const [name, image] of Object.entries(images))
    test(`is in the image of ${name}`, () => {
      const { packages } = contentOf(ROOT, image)
      for (const folder of packages) {
        const from = withoutText[folder] ?? folder
        assert.ok(packages.includes(from), `${folder} needs ${from}`)
        assert.equal(licenceIdOf(from), licenceIdOf(folder))
        const texts = licenceFilesIn(join(ROOT, from))
        assert.notEqual(texts.length, 0, `${folder} has no licence text`)
        for (const { file } of texts) assert.ok(isKept(file), `${folder}/${file}`)
      }
    })

  /** The source of each bundle, and the file that `npm run build` makes of it. */
  const bundles = {
    'app/pages/view/client.tsx': 'app/pages/dist/assets/client-*.js',
    'app/pages/view/server.tsx': 'app/pages/dist/server.js',
    'screen/page/live.ts': 'screen/dist/live/live-*.js',
  }
  for (const [source, pattern] of Object.entries(bundles))
    test(`is in the bundle of ${source}`, () => {
      const { imported } = contentOf(ROOT, { entries: [source], isForDevelopment: true })
      assert.notEqual(imported.length, 0)
      const [text = '', ...others] = globSync(pattern, { cwd: ROOT }).map(read)
      assert.equal(others.length, 0)
      for (const name of imported) {
        const folder = join(ROOT, 'node_modules', name)
        const [title = '', ...licence] = licencesOf([folder]).split('\n\n')
        assert.ok(text.includes(title), title)
        assert.ok(text.includes(licence.join('\n\n')), `the licence of ${title}`)
      }
    })
})

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const licenceIdOf = (folder: string): string => JSON.parse(read(join(folder, 'package.json'))).license
