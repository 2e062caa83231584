import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { packAll } from '../release/packages/pack.ts'

const EXAMPLE = join(import.meta.dirname, 'plain-service')

test('the example, installed from tarballs outside of this repository, answers as before with every offload', t => {
  const project = mkdtempSync(join(tmpdir(), 'plain-service-'))
  t.after(() => rmSync(project, { recursive: true }))
  cpSync(EXAMPLE, project, { recursive: true, filter: path => !/\/(build|packed|node_modules)$/.test(path) })
  mkdirSync(join(project, 'packed'))
  packAll(join(project, 'packed'))
  const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) }
  for (const words of [['install', '--no-audit', '--no-fund'], ['test']])
    execFileSync('npm', words, { cwd: project, env, stdio: 'pipe' })
})
