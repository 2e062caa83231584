import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { licencesOf } from './licences.ts'

test('packages with the same licence text share it', t => {
  const folders = makePackages(t, {
    a: { LICENSE: 'free for all' },
    b: { 'LICENCE.md': 'free for all\n' },
    c: { COPYING: 'free for some', NOTICE: 'made by c' },
  })
  assert.equal(
    licencesOf(folders),
    'a 1.0.0, b 1.0.0\n\nfree for all\n\n---\n\nc 1.0.0\n\nfree for some\n\nmade by c',
  )
})

test('a package without a licence file has its licence in the README, or is refused', t => {
  const [a = '', b = ''] = makePackages(t, {
    a: { 'Readme.md': '# a\n\nGood.\n\n## License\n\nMIT\n' },
    b: { 'README.md': '# b\n\nLicensed somehow.\n' },
  })
  assert.equal(licencesOf([a]), 'a 1.0.0\n\n## License\n\nMIT')
  assert.throws(() => licencesOf([a, b]), { message: `${b} has no licence text` })
})

/** Makes a folder for each package, with its files. */
function makePackages(t: TestContext, packages: Readonly<Record<string, Record<string, string>>>): string[] {
  return Object.entries(packages).map(([name, files]) =>
    temporaryDirectory(t, {
      ...files,
      'package.json': JSON.stringify({ name, version: '1.0.0' }),
      'licences/LICENSE': 'of no package',
    }),
  )
}
