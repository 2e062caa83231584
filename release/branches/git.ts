import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UserError } from '../../lib/cli/user-error.ts'

/** A file in git. */
export interface File {
  readonly mode: string
  readonly content: Buffer
  /** The hash of the file; undefined if it may not be in the repository yet. */
  readonly hash?: string
}

/** The files of a commit by their paths. */
export type Tree = ReadonlyMap<string, File>

export const textOf = (tree: Tree, path: string): string => (tree.get(path) as File).content.toString()

export const readJson = <Value>(tree: Tree, path: string): Value => JSON.parse(textOf(tree, path))

/** A repository. Writing to it changes neither its work tree nor its index. */
export class Repository {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  /** @throws UserError with the message of git */
  run(args: readonly string[], { input, env }: { input?: string | Buffer; env?: NodeJS.ProcessEnv } = {}) {
    return this.#run(args, input, env).toString().trimEnd()
  }

  /** The output to its last byte, such as a patch. @throws UserError with the message of git */
  read(args: readonly string[]): string {
    return this.#run(args).toString()
  }

  /** The commit of a name; undefined if there is no such name. */
  find(name: string): string | undefined {
    return this.run(['for-each-ref', '--format=%(objectname)', name]) || undefined
  }

  readTree(commit: string): Tree {
    const listed = this.#run(['ls-tree', '-r', '-z', commit]).toString().split('\0').filter(Boolean)
    const entries = listed.map(line => {
      const [, mode, hash, path] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(line) as unknown as string[]
      return { mode, hash, path } as { mode: string; hash: string; path: string }
    })
    const contents = this.#readBlobs(entries.map(({ hash }) => hash))
    return new Map(
      entries.map(({ path, ...entry }, index) => [path, { ...entry, content: contents[index] as Buffer }]),
    )
  }

  /** Makes a commit with the author, committer and dates of the commit `like`, so that the same content has the same hash. */
  writeCommit(tree: Tree, parent: string, message: string, like: string): string {
    return this.#commitIndex({ parent, message, like }, env => {
      const lines = [...tree].map(([path, file]) => `${file.mode} ${this.#hashOf(file)}\t${path}\0`)
      this.run(['update-index', '-z', '--index-info'], { input: lines.join(''), env })
    })
  }

  /**
   * Makes a commit on top of another one, with a patch applied, and with its author, committer and dates.
   * @throws UserError when the patch does not fit the files of that commit
   */
  writePatched(parent: string, patch: string, message: string): string {
    return this.#commitIndex({ parent, message, like: parent }, env => {
      this.run(['read-tree', parent], { env })
      this.run(['apply', '--cached'], { input: patch, env })
    })
  }

  /** Makes a commit of the files that `fill` puts into an index of its own, which its environment names. */
  #commitIndex(
    { parent, message, like }: { parent: string; message: string; like: string },
    fill: (env: NodeJS.ProcessEnv) => void,
  ): string {
    const directory = mkdtempSync(join(tmpdir(), 'branches-'))
    const env = { GIT_INDEX_FILE: join(directory, 'index') }
    try {
      fill(env)
      const written = this.run(['write-tree'], { env })
      return this.run(['commit-tree', written, '-p', parent], { input: message, env: this.#identityOf(like) })
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }

  #hashOf({ hash, content }: File): string {
    return hash ?? this.run(['hash-object', '-w', '--stdin'], { input: content })
  }

  #identityOf(commit: string): NodeJS.ProcessEnv {
    const roles = ['an', 'ae', 'aI', 'cn', 'ce', 'cI']
    const values = this.run(['log', '-1', `--format=${roles.map(role => `%${role}`).join('%n')}`, commit])
    const keys = ['AUTHOR', 'COMMITTER'].flatMap(who =>
      ['NAME', 'EMAIL', 'DATE'].map(what => `GIT_${who}_${what}`),
    )
    return Object.fromEntries(values.split('\n').map((value, index) => [keys[index], value]))
  }

  #readBlobs(hashes: readonly string[]): Buffer[] {
    const output = this.#run(['cat-file', '--batch'], hashes.map(hash => `${hash}\n`).join(''))
    let at = 0
    return hashes.map(() => {
      const begin = output.indexOf(10, at) + 1
      const size = Number(output.toString('latin1', at, begin - 1).split(' ')[2])
      at = begin + size + 1
      return output.subarray(begin, begin + size)
    })
  }

  #run(args: readonly string[], input: string | Buffer = '', env: NodeJS.ProcessEnv = {}): Buffer {
    try {
      return execFileSync('git', args, {
        cwd: this.#directory,
        input,
        env: { ...process.env, ...env },
        maxBuffer: 2 ** 30,
        stdio: ['pipe', 'pipe', 'pipe'],
      })
    } catch (error) {
      const said = String((error as { stderr?: Buffer }).stderr ?? (error as Error).message).trim()
      throw new UserError(`git ${args[0]} failed: ${said.split('\n')[0]}`)
    }
  }
}
