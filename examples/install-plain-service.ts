import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { packAll } from '../release/packages/pack.ts'

const EXAMPLE = join(import.meta.dirname, 'plain-service')

/** The example in a directory of its own, which whoever asked for it removes. */
interface Installed {
  readonly project: string
  /** Runs npm there, with the Node.js of this process. @returns what it printed @throws an Error if it failed */
  npm(...words: string[]): string
}

/**
 * Copies the example to a directory outside of this repository, and installs the packages there from their tarballs.
 * @param packed has the tarballs; by default they are made
 */
export function installPlainService(packed?: string): Installed {
  const project = mkdtempSync(join(tmpdir(), 'plain-service-'))
  cpSync(EXAMPLE, project, { recursive: true, filter: path => !/\/(build|packed|node_modules)$/.test(path) })
  const tarballs = join(project, 'packed')
  mkdirSync(tarballs)
  if (packed)
    cpSync(packed, tarballs, { recursive: true, filter: path => path === packed || /\.tgz$/.test(path) })
  else packAll(tarballs)
  const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) }
  const npm = (...words: string[]) =>
    execFileSync('npm', words, { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] }).toString()
  npm('install', '--no-audit', '--no-fund')
  return { project, npm }
}
