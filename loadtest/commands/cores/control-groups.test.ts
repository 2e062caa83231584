import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UserError } from '../../../lib/cli/user-error.ts'
import { findController } from './control-groups.ts'

const reads = (files: Readonly<Record<string, string>>) => (file: string) => {
  const text = files[file]
  if (text === undefined) throw new Error(`there is no ${file}`)
  return text
}

describe('the CPU controller', () => {
  test('of version 1 is found where its own hierarchy is mounted', () => {
    const found = findController(
      reads({
        '/proc/self/cgroup': '3:memory:/shop\n2:cpu,cpuacct:/shop\n0::/\n',
        '/proc/self/mountinfo':
          '32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n33 31 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n',
      }),
    )
    assert.deepEqual(found, { version: 'v1', own: '/sys/fs/cgroup/cpu,cpuacct/shop' })
  })

  test('of version 2 is found if the group of this process has it', () => {
    const files = {
      '/proc/self/cgroup': '0::/user.slice/run-1.scope\n',
      '/proc/self/mountinfo': '30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n',
    }
    const controllers = '/sys/fs/cgroup/user.slice/run-1.scope/cgroup.controllers'
    assert.deepEqual(findController(reads({ ...files, [controllers]: 'cpu memory pids\n' })), {
      version: 'v2',
      own: '/sys/fs/cgroup/user.slice/run-1.scope',
    })
    assert.throws(() => findController(reads({ ...files, [controllers]: 'memory pids\n' })), UserError)
  })

  test('of a container that mounts its own part of the hierarchy is found there', () => {
    const found = findController(
      reads({
        '/proc/self/cgroup': '2:cpu:/docker/abc\n',
        '/proc/self/mountinfo': '40 31 0:29 /docker/abc /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n',
      }),
    )
    assert.deepEqual(found, { version: 'v1', own: '/sys/fs/cgroup/cpu' })
  })

  test('is missed in one line that says what to do, on a system without control groups', () => {
    assert.throws(
      () => findController(reads({})),
      /^UserError: slow motion needs .* as many cores as there are$/,
    )
  })
})
