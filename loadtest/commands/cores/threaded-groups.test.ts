import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { ControlGroups } from './control-groups.ts'

/**
 * Groups of version 2 in memory, with the rules of "Threads" in the kernel's manual (admin-guide/cgroup-v2): a group in a
 * threaded one, or with threads of its own to share out, must be made threaded before threads can move into it; a group with
 * processes can share out the CPU time only once it has threaded groups; and a group has files of the controller only then.
 */
class Kernel {
  readonly #own: string
  readonly #threaded = new Set<string>()
  readonly #sharing = new Set<string>()
  readonly #groups: Set<string>
  readonly written: string[] = []

  constructor(own: string) {
    this.#own = own
    this.#groups = new Set([own])
  }

  make(group: string): void {
    assert.ok(this.#groups.has(dirname(group)), `${group} has no parent`)
    this.#groups.add(group)
  }

  write(path: string, value: string): void {
    const [group, file] = [dirname(path), basename(path)]
    assert.ok(this.#groups.has(group), `there is no ${group}`)
    const allowed: Readonly<Record<string, () => boolean>> = {
      'cgroup.type': () => value === 'threaded' && this.#isThreadRoot(dirname(group)),
      'cgroup.subtree_control': () => value === '+cpu' && this.#hasThreadedChild(group),
      'cgroup.threads': () => group === this.#own || this.#threaded.has(group),
      'cpu.max': () => /^\d+ \d+$/.test(value) && this.#sharing.has(dirname(group)),
      'cpu.weight': () => Number(value) >= 1 && Number(value) <= 10_000 && this.#sharing.has(dirname(group)),
    }
    assert.ok(allowed[file]?.(), `EOPNOTSUPP: ${value} to ${path}`)
    if (file === 'cgroup.type') this.#threaded.add(group)
    if (file === 'cgroup.subtree_control') this.#sharing.add(group)
    this.written.push(`${group.slice(this.#own.length + 1)}/${file} ${value}`)
  }

  #isThreadRoot = (group: string) => group === this.#own || this.#threaded.has(group)
  #hasThreadedChild = (group: string) => [...this.#threaded].some(each => dirname(each) === group)
}

/** Runs a function whose writes go to the kernel. It must not wait, because the process runs other tests as well. */
function withKernel(kernel: Kernel, use: () => void): void {
  const { mkdirSync, writeFileSync } = fs
  Object.assign(fs, {
    mkdirSync: (group: string) => kernel.make(group),
    writeFileSync: (path: string, value: string) => kernel.write(path, value),
  })
  syncBuiltinESMExports()
  try {
    use()
  } finally {
    Object.assign(fs, { mkdirSync, writeFileSync })
    syncBuiltinESMExports()
  }
}

test('control groups of version 2 are made threaded before their controller is used, and have quotas', () => {
  const own = '/sys/fs/cgroup/scope'
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
    groups.release(7)
  })
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
