import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { referencesOf } from '../../lib/build/sources/references.ts'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { packageFolders, ROOT } from './manifest.ts'
import { neededBy, type Packed, packAll, readmeOf } from './pack.ts'
import { checks, outputs, tryProgram, tryReadme } from './readme.fixture.ts'

/** Packages that the programs of the READMEs import besides ours. */
const OF_SERVICES = ['fastify', 'pino']

const directory = temporaryDirectory({ after })
const project = join(directory, 'project')
let packages: readonly Packed[] = []
before(() => {
  packages = packAll(directory)
})

const packed = (folder: string) => packages.find(each => each.folder === folder) as Packed

for (const folder of packageFolders)
  describe(`the package in ${folder}`, () => {
    test('has a README, a licence, and everything that its package.json names', () => {
      const { manifest, files } = packed(folder)
      const named = Object.values({ ...manifest.exports, ...manifest.bin }).map(file =>
        file.replace(/^\.\//, ''),
      )
      for (const file of ['README.md', 'dist/LICENSE', ...named]) assert.ok(files.includes(file), file)
      assert.deepEqual(
        files.filter(file => /(?<!\.d)\.tsx?$/.test(file)),
        [],
        'sources are not packed',
      )
    })

    test('imports the packages that it declares, and no others', () => {
      const { manifest } = packed(folder)
      const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
      assert.deepEqual(importedBy(packed(folder)), declared.sort())
    })

    test('needs as many packages as its README says', () => {
      const needed = neededBy(packed(folder).manifest).length
      const [, stated = '0'] = /with the (\d+) packages that it needs/.exec(readmeOf(folder)) ?? []
      assert.equal(Number(stated), needed, 'npm run docs -- packages corrects it')
    })
  })

for (const folder of Object.keys(checks))
  test(`the commands and the program in ${folder}/README.md do what they show`, async () => {
    install(packed(folder))
    await tryReadme(folder, project, process.execPath)
  })

for (const folder of Object.keys(outputs))
  test(`the program in ${folder}/README.md writes what it shows`, async () => {
    install(packed(folder))
    await tryProgram(folder, project, process.execPath)
  })

/** The packages that the bundles of a package import. Pages for browsers contain all that they need. */
function importedBy({ folder, files }: Packed): string[] {
  const bundles = files.filter(file => /^dist\/[^/]+\.js$/.test(file))
  const imported = bundles.flatMap(file => {
    const text = readFileSync(join(ROOT, folder, file), 'utf8').replaceAll('"', "'")
    return [...referencesOf(file, text, { has: () => false, below: () => [] }).packages]
  })
  return [...new Set(imported)].sort()
}

/** Unpacks a package into a project where it finds the packages that it declares, and no others. */
function install({ tarball, manifest }: Packed): void {
  rmSync(project, { recursive: true, force: true })
  const folder = join(project, 'node_modules', manifest.name)
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder])
  const link = (from: string, to: string) => {
    mkdirSync(dirname(join(project, 'node_modules', to)), { recursive: true })
    symlinkSync(from, join(project, 'node_modules', to))
  }
  const names = [...OF_SERVICES, ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })]
  for (const name of names) link(join(ROOT, 'node_modules', name), name)
  for (const [name, file] of Object.entries(manifest.bin ?? {})) link(join(folder, file), join('.bin', name))
  writeFileSync(join(project, 'package.json'), '{ "name": "service", "type": "module" }')
}
