import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { concerns, namesOf } from '../../app/concerns.ts'
import manifest from '../../package.json' with { type: 'json' }
import { joinWorkspaces } from '../../release/branches/manifest.ts'
import { contentOf, copyContent } from '../../release/images/content.ts'
import { images, stack } from '../../release/images/table.ts'
import { nodeFlagsOf } from '../../stack/permissions.ts'
import { temporaryDirectory } from '../temporary-directory.ts'

const ROOT = join(import.meta.dirname, '../..')
const contents = new Map(Object.entries(images).map(([name, image]) => [name, contentOf(ROOT, image)]))
const contentOfImage = (name: string) => contents.get(name) as ReturnType<typeof contentOf>
const { dependencies, devDependencies } = joinWorkspaces(manifest, folder =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')),
)
const sidecars = ['logger-transport', 'apm-agent']

describe('an image', () => {
  test('of a stack holds no package that only the load test uses', () => {
    const { imported: ofLoadTest } = contentOfImage('loadtest')
    const own = ofLoadTest.filter(name => !(name in dependencies))
    assert.ok(own.includes('@fontsource-variable/inter'), String(own))
    for (const name of Object.keys(stack)) {
      const { packages } = contentOfImage(name)
      const held = own.filter(each => packages.includes(`node_modules/${each}`))
      assert.deepEqual(held, [], name)
    }
  })

  test('of a sidecar holds no implementation of a concern; that of the app holds all', () => {
    const all = concerns.flatMap(concern => namesOf(concern).map(name => `/${concern}/${name}.ts`))
    const held = (name: string) =>
      all.filter(end => contentOfImage(name).files.some(path => path.endsWith(end)))
    for (const name of sidecars) assert.deepEqual(held(name), [], name)
    assert.deepEqual(held('app'), all)
  })

  test('holds no results of the load test, which has whole checkouts of branches among them', async t => {
    const entry = 'loadtest/run.ts'
    const root = temporaryDirectory(t, {
      'package.json': '{}',
      'package-lock.json': JSON.stringify({ packages: {} }),
      [entry]: "const all = './results'",
      'loadtest/results/branches/app.ts': "import 'express'",
    })
    assert.deepEqual(contentOf(root, { entries: [entry] }).files, [entry, 'package.json'])
  })

  test('holds nothing that Node.js does not run: tests, types, sources of pages', () => {
    for (const [name, { files }] of contents)
      assert.deepEqual(
        files.filter(path => /\.test\.ts$|\.fixture\.ts$|\.d\.ts$|\.tsx$/.test(path)),
        [],
        name,
      )
  })
})

test('"dependencies" are what the stack imports, and the pages that it serves bundle what is installed', () => {
  const imported = Object.keys(stack).flatMap(name => contentOfImage(name).imported)
  const pages = ['app/pages/view/client.tsx', 'app/pages/view/server.tsx', 'screen/page/live.ts']
  const bundled = contentOf(ROOT, { entries: pages, isForDevelopment: true }).imported
  const isImported = (name: string) => !bundled.includes(name) || imported.includes(name)
  assert.deepEqual(Object.keys(dependencies).filter(isImported), [...new Set(imported)].sort())
  for (const name of bundled) assert.ok(name in { ...dependencies, ...devDependencies }, name)
})

describe('the content of an image', () => {
  test('is refused when a file is not there or not imported, and when a package is for development only', t => {
    const project = makeProject(t)
    const refusals = {
      'main.ts: there is no such file': { entries: ['main.ts'] },
      'b.ts: a.ts do not import it': { entries: ['a.ts'], loadsNoneOf: ['b.ts'] },
      'node_modules/tool: an image needs it, so it belongs to "dependencies"': { entries: ['b.ts'] },
    }
    for (const [message, image] of Object.entries(refusals))
      assert.throws(() => contentOf(project, image), { message })
  })

  test('is copied with the licence texts of its packages, without types and source maps', t => {
    const directory = makeProject(t)
    const content = contentOf(directory, { entries: ['a.ts'] })
    const copy = join(directory, 'copy')
    copyContent(directory, content, copy)
    const copied = readdirSync(copy, { recursive: true, withFileTypes: true }).filter(each => each.isFile())
    assert.deepEqual(
      copied.map(({ parentPath, name }) => join(parentPath, name).slice(copy.length + 1)).sort(),
      [
        'packages/node_modules/used/LICENSE.md',
        'packages/node_modules/used/index.js',
        'packages/node_modules/used/node_modules/inner/README.md',
        'sources/a.ts',
        'sources/package.json',
      ],
    )
  })
})

/** Makes a project with two sources. One imports a package with a dependency, the other a package for development. */
function makeProject(t: TestContext): string {
  const packages = {
    'node_modules/used': { dependencies: { inner: '1' } },
    'node_modules/used/node_modules/inner': {},
    'node_modules/used/node_modules/unused': {},
    'node_modules/tool': { dev: true },
  }
  return temporaryDirectory(t, {
    'package.json': '{}',
    'package-lock.json': JSON.stringify({ packages }),
    'a.ts': "import 'used'",
    'b.ts': "import 'tool'",
    'node_modules/used/LICENSE.md': '',
    'node_modules/used/index.js': '',
    'node_modules/used/index.d.ts': '',
    'node_modules/used/index.js.map': '',
    'node_modules/used/node_modules/inner/README.md': '',
    'node_modules/used/node_modules/unused/index.js': '',
  })
}

// `npm run test:containers` builds the images, starts them and looks at their users.
describe('the Dockerfile', () => {
  const targets = readStages(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).filter(
    ({ from }) => from === 'runtime',
  )

  test('copies to every image what it imports, packages first, and nothing else', () => {
    assert.deepEqual(
      targets.map(({ name }) => name),
      Object.keys(images),
    )
    for (const { name, text } of targets) {
      const content = ['packages', 'sources'].map(part => `COPY --from=build /images/${name}/${part} ./`)
      assert.deepEqual(text.match(/^(COPY|ADD) .*/gm), content)
    }
  })

  test('starts the app with the flags of V8 with which the stack starts it', () => {
    const app = targets.find(({ name }) => name === 'app')?.text ?? ''
    const command: string[] = JSON.parse(/^CMD (.*)$/m.exec(app)?.[1] ?? '[]')
    assert.deepEqual(command, [...nodeFlagsOf('app', {}), 'app/main.ts'])
  })
})

function readStages(dockerfile: string) {
  return dockerfile
    .split(/^FROM /m)
    .slice(1)
    .map(text => {
      const [, from = '', name = ''] = /^(\S+) AS (\S+)/.exec(text) ?? []
      return { from, name, text }
    })
}
