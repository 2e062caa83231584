import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { getNode } from '../../loadtest/nodes/installed.ts'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { ROOT } from './manifest.ts'
import { type Packed, packAll } from './pack.ts'
import { checks, outputs, programOf, tryProgram, tryReadme } from './readme.fixture.ts'

const VERSIONS = ['22', '24', '26']
/** Packages that services use with ours. */
const OF_SERVICES = ['@opentelemetry/api', '@types/node', 'fastify', 'pino', 'react', 'react-dom', 'winston']

const directory = temporaryDirectory({ after })
let packages: readonly Packed[] = []
before(() => {
  packages = packAll(directory)
  for (const version of VERSIONS) getNode(version)
})

describe('the tarballs', () => {
  /** Checks of what is packed, each with a tarball as its last argument. */
  const linters = {
    publint: ['run', '--strict'],
    // The packages are ES modules, which CommonJS may require; TypeScript knows that with "module": "nodenext" only.
    attw: ['--profile', 'esm-only'],
  }
  for (const [name, args] of Object.entries(linters))
    test(`are clean for ${name}`, async () => {
      for (const { tarball } of packages)
        await run(join(ROOT, 'node_modules/.bin', name), [...args, tarball], directory)
    })
})

describe('a project that npm has installed the packages into', () => {
  const project = join(directory, 'project')
  before(async () => {
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{ "name": "service", "type": "module", "private": true }')
    const tarballs = packages.map(({ tarball }) => tarball)
    await run('npm', ['install', '--no-audit', '--no-fund', ...tarballs, ...OF_SERVICES], project)
  })

  for (const [module, moduleResolution] of [
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const)
    test(`is checked by TypeScript with "moduleResolution": "${moduleResolution}"`, async () => {
      for (const folder of Object.keys(checks))
        writeFileSync(join(project, `${folder}.ts`), programOf(folder))
      const modules = modulesOf(packages)
      writeFileSync(
        join(project, 'all.ts'),
        modules.map((path, at) => `export * as m${at} from '${path}'\n`).join(''),
      )
      const required = module === 'nodenext' ? modules : []
      const requires = required.map((path, at) => `import m${at} = require('${path}')\nvoid m${at}\n`)
      writeFileSync(join(project, 'all.cts'), requires.join(''))
      const compilerOptions = {
        module,
        moduleResolution,
        target: 'es2023',
        strict: true,
        noEmit: true,
        types: ['node'],
      }
      const settings = { compilerOptions, include: ['*.ts', '*.cts'] }
      writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(settings))
      await run(join(ROOT, 'node_modules/.bin/tsc'), [], project)
    })

  for (const version of VERSIONS) {
    test(`gives the same modules to import and to require on Node.js ${version}`, async () => {
      const program = `
        import { createRequire } from 'node:module'
        const require = createRequire(import.meta.url)
        for (const path of ${JSON.stringify(modulesOf(packages))}) {
          const required = require(path)
          for (const [name, value] of Object.entries(await import(path)))
            if (required[name] !== value) throw new Error(path + ' has another ' + name)
        }`
      writeFileSync(join(project, 'both.js'), program)
      await run(getNode(version).path, ['both.js'], project)
    })

    for (const folder of [...Object.keys(checks), ...Object.keys(outputs)])
      test(`runs ${folder}/README.md on Node.js ${version}`, () =>
        (folder in outputs ? tryProgram : tryReadme)(folder, project, getNode(version).path))
  }
})

/** The names by which a service imports the modules of packages. */
const modulesOf = (packages: readonly Packed[]): string[] =>
  packages.flatMap(({ manifest: { name, exports } }) =>
    Object.keys(exports)
      .filter(path => !path.endsWith('.json'))
      .map(path => join(name, path)),
  )

/** @throws Error with the output of the command, if it fails */
async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) }
  try {
    await promisify(execFile)(command, args, { cwd, env })
  } catch (error) {
    const { stdout, stderr, message } = error as Error & { stdout?: string; stderr?: string }
    assert.fail([message, stdout, stderr].join('\n'))
  }
}
