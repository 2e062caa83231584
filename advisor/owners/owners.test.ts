import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type BuildOptions, build } from 'esbuild'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { findBuiltin } from './builtins.ts'
import { packageIn } from './files.ts'
import { notFound, unattributed } from './owner.ts'
import { createFindOwner } from './owner-of.ts'
import { placeOf } from './place.ts'

const packages = {
  '/srv/node_modules/pino/lib/proto.js': 'pino',
  '/srv/node_modules/@nestjs/core/router.js': '@nestjs/core',
  '/srv/node_modules/a/node_modules/b/index.js': 'b',
  '/srv/node_modules/.pnpm/@nestjs+core@11.0.0_x@1/node_modules/@nestjs/core/index.js': '@nestjs/core',
  '/srv/.yarn/cache/pino-npm-9.0.0-abc-8.zip/node_modules/pino/pino.js': 'pino',
  'C:\\srv\\node_modules\\pino\\pino.js': 'pino',
  '/srv/src/server.js': undefined,
  '/srv/node_modules/.prisma/client/runtime.js': '.prisma',
  '/srv/src/generated/prisma/client.ts': '.prisma',
}

test('a package is found in the layouts of npm, pnpm and Yarn', () => {
  for (const [path, name] of Object.entries(packages)) assert.equal(packageIn(path), name, path)
})

test('modules of Node.js are told by what they are, or work for their callers', () => {
  const names = {
    'node:_http_server': 'HTTP and sockets',
    'node:internal/crypto/hash': 'crypto',
    'node:internal/fs/streams': 'fs',
    'node:events': undefined,
    'node:internal/streams/readable': undefined,
    'node:cryptography': undefined,
    'node:internal/fs/sync_write_stream': 'stdout',
    'node:internal/deps/undici/undici': 'fetch',
  }
  for (const [url, name] of Object.entries(names)) assert.equal(findBuiltin(url)?.name, name, url)
})

test('own code is told by folder, and a member of a workspace by its name', t => {
  const directory = temporaryDirectory(t, {
    'package.json': '{ "name": "service" }',
    'packages/mailer/package.json': '{ "name": "@our/mailer" }',
    'packages/mailer/lib/send.js': '',
    'src/routes/users.js': '',
    'server.js': '',
  })
  const findOwner = createFindOwner(directory)
  const ownerOf = (path: string) => findOwner(frameIn(join(directory, path)))
  assert.deepEqual(ownerOf('server.js'), { kind: 'own', name: 'server.js', path: 'server.js' })
  assert.deepEqual(ownerOf('src/routes/users.js'), {
    kind: 'own',
    name: 'src/routes',
    path: 'src/routes/users.js',
  })
  assert.deepEqual(ownerOf('packages/mailer/lib/send.js'), { kind: 'workspace', name: '@our/mailer' })
})

const bundled = {
  'package.json': '{ "name": "service" }',
  'node_modules/left/index.js': 'exports.left = () => "left".repeat(3)',
  'src/main.js': 'import { left } from "left"\nfunction own() { return left() }\nconsole.log(own())',
}

test('a bundle with a source map, beside it or in it, is told by its sources', async t => {
  for (const sourcemap of [true, 'inline'] as const) {
    const directory = temporaryDirectory(t, bundled)
    const outfile = await bundle(directory, { sourcemap })
    const findOwner = createFindOwner(directory)
    const lines = readFileSync(outfile, 'utf8').split('\n')
    const nameAt = (code: string) => {
      const lineNumber = lines.findIndex(line => line.includes(code))
      const columnNumber = (lines[lineNumber] as string).indexOf(code)
      return findOwner({ ...frameIn(outfile), lineNumber, columnNumber })?.name
    }
    assert.deepEqual([nameAt('function own'), nameAt('() => "left"')], ['src', 'left'])
    assert.deepEqual([...findOwner.bundles], [])
  }
})

test('a function has its name and place in the source, though the bundle is minified', async t => {
  const directory = temporaryDirectory(t, {
    ...bundled,
    'src/main.js':
      'import { left } from "left"\n\nfunction longName(n) { return left(n) }\nconsole.log(longName(1), longName(2))',
  })
  const small = await bundle(directory, { minify: true, sourcemap: true })
  const findOwner = createFindOwner(directory)
  const functions = readFileSync(small, 'utf8')
    .split('\n')
    .flatMap((line, lineNumber) =>
      [...line.matchAll(/(?<=function \w+)\(/g)].map(({ index }) =>
        findOwner.describe({ ...frameIn(small), functionName: 'a', lineNumber, columnNumber: index }),
      ),
    )
  assert.match(String(functions), /\blongName src\/main\.js:3\b/)
  const left = join(directory, 'node_modules/left/index.js')
  assert.equal(findOwner.describe({ ...frameIn(left), functionName: 'left' }), 'left left/index.js:1')
})

test('a bundle without a source map is nobody, also if it is in a member of a workspace', async t => {
  const directory = temporaryDirectory(t, { ...bundled, 'page/package.json': '{ "name": "page" }' })
  for (const minify of [true, false]) {
    const outfile = await bundle(directory, { minify }, 'page/dist/main.js')
    const findOwner = createFindOwner(directory)
    // A table may name it by its path in the service.
    assert.deepEqual(findOwner(frameIn(outfile)), { ...unattributed, path: 'page/dist/main.js' })
    assert.deepEqual([...findOwner.bundles], ['page/dist/main.js'])
  }
})

test('a file that is not found here, or is none, is unattributed, and one of a package is told by its path alone', () => {
  const findOwner = createFindOwner('/nowhere')
  assert.equal(findOwner(frameIn('/dev/zero'))?.name, notFound.name)
  assert.deepEqual(findOwner(frameIn('/nowhere/dist/main.js')), { ...notFound, path: 'dist/main.js' })
  assert.equal(findOwner(frameIn('/nowhere/node_modules/left/index.js'))?.name, 'left')
})

const places = {
  'webpack-internal:///(rsc)/./src/price.ts': ['project', './src/price.ts'],
  'rsc://React/Server/webpack-internal:///(rsc)/./src/price.ts?7': ['project', './src/price.ts'],
  'src/price.ts': ['project', 'src/price.ts'],
  'file:///srv/a%20b.js?t=1': ['file', '/srv/a b.js'],
  'file:///srv/100%/main.js': ['file', '/srv/100%/main.js'],
  'file://server/share/main.js': ['file', '//server/share/main.js'],
  '[worker eval]': ['given', '[worker eval]'],
  'wasm://wasm/b6b8a3c2': ['generated', 'wasm://wasm/b6b8a3c2'],
  'lodash.templateSources[0]': ['generated', 'lodash.templateSources[0]'],
  '': ['generated', ''],
  'https://example.com/main.js': ['unknown', 'https://example.com/main.js'],
}

test('a script is placed by its name, also those of other tools and of earlier versions of Node.js', () => {
  for (const [url, [kind, at]] of Object.entries(places)) assert.deepEqual(placeOf(url), { kind, at }, url)
})

test('the files of a service in a container are read below its root', t => {
  const root = temporaryDirectory(t, {
    'srv/package.json': '{ "name": "service" }',
    'srv/src/mail/send.js': '',
    'srv/mailer/package.json': '{ "name": "mailer" }',
    'srv/mailer/index.js': '',
  })
  const findOwner = createFindOwner('/srv', root)
  assert.equal(findOwner(frameIn('/srv/src/mail/send.js'))?.name, 'src/mail')
  assert.equal(findOwner(frameIn('/srv/mailer/index.js'))?.name, 'mailer')
})

/** A source map whose only entry says that all code is of this source. */
const mapOf = (source: string) => ({ version: 3, sources: [source], names: [], mappings: 'AAAA' })

const section = { offset: { line: 0, column: 0 }, map: { ...mapOf('mail/send.js'), sourceRoot: '../src' } }
const owners: readonly (readonly [what: string, owner: string, map: object, name?: string])[] = [
  ['a source beside the map', 'dist/src', mapOf('./src/mail/send.js')],
  ['a source above the map', 'src/mail', mapOf('../src/mail/send.js')],
  ['a source of webpack', 'src/mail', mapOf('webpack://service/./src/mail/send.js')],
  ['a source of webpack in a scope', 'src/mail', mapOf('webpack://@our/service/./src/mail/send.js')],
  ['a package of webpack', 'left', mapOf('webpack:///./node_modules/left/index.js')],
  ['a source of Turbopack', 'src/mail', mapOf('turbopack:///[project]/src/mail/send.ts')],
  ['the runtime of Turbopack', unattributed.name, mapOf('turbopack:///[turbopack]/runtime.ts')],
  ['a map in sections', 'src/mail', { version: 3, sections: [section] }],
  ['a map whose name cannot be decoded', 'dist', mapOf('../src/mail/send.js'), '%E0%A4%A'],
]

test('the owner is that of the source, which the source map names', t => {
  for (const [what, owner, map, name] of owners) assert.equal(ownerInMap(t, map, name), owner, what)
})

/** The owner of code at the beginning of a bundle in `dist/`. */
function ownerInMap(t: TestContext, map: object, name = 'main.js.map') {
  const directory = temporaryDirectory(t, {
    'package.json': '{ "name": "service" }',
    'dist/main.js': `own()\n//# sourceMappingURL=${name}`,
    'dist/main.js.map': JSON.stringify(map),
  })
  return createFindOwner(directory)(frameIn(join(directory, 'dist/main.js')))?.name
}

/** Bundles the program of a project. @returns the path of the bundle */
async function bundle(directory: string, settings: BuildOptions, file = 'dist/main.js'): Promise<string> {
  const outfile = join(directory, file)
  const entry = { absWorkingDir: directory, entryPoints: ['src/main.js'], outfile }
  await build({ ...entry, bundle: true, platform: 'node', ...settings })
  return outfile
}

const frameIn = (path: string) => ({
  functionName: 'f',
  url: pathToFileURL(path).href,
  lineNumber: 0,
  columnNumber: 0,
})
