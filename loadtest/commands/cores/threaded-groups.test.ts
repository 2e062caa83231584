import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { ControlGroups } from './control-groups.ts'

/**
 * Groups of version 2 in memory, with the rules of "Threads" in the kernel's manual (admin-guide/cgroup-v2) as Linux 6.1 answers
 * them: a group has a threaded one, or shares out CPU time, only if no other group in it has processes; in a threaded group, one
 * must be made threaded before threads can move into it; and files of the controller exist only where the parent shares it out.
 */
class Kernel {
  readonly #own: string
  readonly #threaded = new Set<string>()
  readonly #sharing = new Set<string>()
  /** The groups of threads, by their ids. */
  readonly #threads = new Map<string, string>()
  readonly groups: Set<string>
  readonly written: string[] = []

  constructor(own: string) {
    this.#own = own
    this.groups = new Set([own])
  }

  make(group: string): void {
    assert.ok(this.groups.has(dirname(group)), `${group} has no parent`)
    this.groups.add(group)
  }

  list = (group: string) =>
    [...this.groups]
      .filter(each => dirname(each) === group)
      .map(each => ({ name: basename(each), parentPath: group, isDirectory: () => true }))

  remove(group: string): void {
    if (this.list(group).length > 0 || this.#isPopulated(group)) fail('EBUSY')
    this.groups.delete(group)
  }

  /** Lets another process live in a group beside. */
  occupy(group: string): void {
    this.make(group)
    this.#threads.set('other', group)
  }

  write(path: string, value: string): void {
    const [group, file] = [dirname(path), basename(path)]
    if (!this.groups.has(group)) fail('ENOENT')
    const allowed: Readonly<Record<string, () => boolean>> = {
      'cgroup.type': () => value === 'threaded' && this.#canHaveThreaded(dirname(group)),
      'cgroup.subtree_control': () => value === '+cpu' && this.#canHaveThreaded(group),
      'cgroup.threads': () => this.#isThreaded(group),
      'cpu.max': () => /^\d{4,} \d{4,}$/.test(value) && this.#sharing.has(dirname(group)),
      'cpu.weight': () => Number(value) >= 1 && Number(value) <= 10_000 && this.#sharing.has(dirname(group)),
    }
    if (!allowed[file]?.()) fail('EOPNOTSUPP')
    if (file === 'cgroup.type') this.#threaded.add(group)
    if (file === 'cgroup.subtree_control') this.#sharing.add(group)
    if (file === 'cgroup.threads') this.#threads.set(value, group)
    this.written.push(`${group.slice(this.#own.length + 1)}/${file} ${value}`)
  }

  #isThreaded = (group: string) => group === this.#own || this.#threaded.has(group)
  #isPopulated = (group: string) => [...this.#threads.values()].includes(group)
  #canHaveThreaded = (group: string) =>
    this.#isThreaded(group) &&
    ![...this.groups].some(
      each => dirname(each) === group && !this.#threaded.has(each) && this.#isPopulated(each),
    )
}

function fail(code: string): never {
  throw Object.assign(new Error(code), { code })
}

/** Runs a function whose groups are the kernel's. It must not wait, because the process runs other tests as well. */
function withKernel(kernel: Kernel, use: () => void): void {
  const { mkdirSync, readdirSync, rmdirSync, writeFileSync } = fs
  Object.assign(fs, {
    mkdirSync: (group: string) => kernel.make(group),
    readdirSync: (group: string) => kernel.list(group),
    rmdirSync: (group: string) => kernel.remove(group),
    writeFileSync: (path: string, value: string) => kernel.write(path, value),
  })
  syncBuiltinESMExports()
  try {
    use()
  } finally {
    Object.assign(fs, { mkdirSync, readdirSync, rmdirSync, writeFileSync })
    syncBuiltinESMExports()
  }
}

const own = '/sys/fs/cgroup/scope'

test('control groups of version 2 are made threaded before their controller is used, have quotas, and are removed', () => {
  const kernel = new Kernel(own)
  withKernel(kernel, () => {
    const groups = new ControlGroups('v2', own, 'slow-motion-1')
    groups.weigh('.', 250)
    groups.create('slow')
    groups.limit('slow', 40_000, 40_000)
    groups.create(join('slow', '7'))
    groups.limit('slow/7', 5000, 40_000)
    groups.weigh('slow/7', 0.1)
    groups.place('slow/7', 7)
    groups.remove('slow')
    assert.ok(kernel.groups.has(`${own}/slow-motion-1/slow/7`), 'it still has a thread')
    groups.place('..', 7)
    groups.remove()
  })
  assert.deepEqual([...kernel.groups], [own])
  assert.deepEqual(kernel.written, [
    'slow-motion-1/cgroup.type threaded',
    '/cgroup.subtree_control +cpu',
    'slow-motion-1/cpu.weight 10000',
    'slow-motion-1/slow/cgroup.type threaded',
    'slow-motion-1/cgroup.subtree_control +cpu',
    'slow-motion-1/slow/cpu.max 40000 40000',
    'slow-motion-1/slow/7/cgroup.type threaded',
    'slow-motion-1/slow/cgroup.subtree_control +cpu',
    'slow-motion-1/slow/7/cpu.max 5000 40000',
    'slow-motion-1/slow/7/cpu.weight 10',
    'slow-motion-1/slow/7/cgroup.threads 7',
    '/cgroup.threads 7',
  ])
})

test('where a process lives in a group beside, control groups of version 2 are refused, and none is left', () => {
  const kernel = new Kernel(own)
  kernel.occupy(`${own}/other`)
  withKernel(kernel, () =>
    assert.throws(() => new ControlGroups('v2', own, 'slow-motion-1'), /^UserError: .*EOPNOTSUPP\)$/),
  )
  assert.deepEqual([...kernel.groups], [own, `${own}/other`])
})
