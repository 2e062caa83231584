import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { UserError } from '../../../lib/cli/user-error.ts'

/** See cgroups(7), "CPU controller", and "cgroup v2 thread mode". */
interface Layout {
  /** Makes a directory a group of threads that can have a quota. */
  prepare(group: string): void
  /** For `quotaMicros` in each period. */
  limit(group: string, quotaMicros: number, periodMicros: number): void
  /** Where cores are scarce; 1 is the share of a thread with the nice value 0. */
  weigh(group: string, weight: number): void
  /** To this file, the id of a thread is written to move it into the group. */
  readonly threads: string
}

const layouts: Readonly<Record<'v1' | 'v2', Layout>> = {
  v1: {
    prepare() {},
    limit(group, quotaMicros, periodMicros) {
      write(group, 'cpu.cfs_period_us', periodMicros)
      write(group, 'cpu.cfs_quota_us', quotaMicros)
    },
    weigh: (group, weight) => write(group, 'cpu.shares', clamp(1024 * weight, 2, 262_144)),
    threads: 'tasks',
  },
  v2: {
    // A group with processes may share out CPU time: the rule against that, in cgroups(7), is not for threaded controllers. The
    // controller stays enabled, because groups that others have made beside may use it by then.
    prepare(group) {
      write(group, 'cgroup.type', 'threaded')
      write(join(group, '..'), 'cgroup.subtree_control', '+cpu')
    },
    limit: (group, quotaMicros, periodMicros) => write(group, 'cpu.max', `${quotaMicros} ${periodMicros}`),
    weigh: (group, weight) => write(group, 'cpu.weight', clamp(100 * weight, 1, 10_000)),
    threads: 'cgroup.threads',
  },
}

const HOW =
  'slow motion needs the CPU controller of Linux and the right to make control groups: run it as root, if need be in systemd-run --scope -p Delegate=yes; without root, in systemd-run --user --scope -p Delegate=yes; in a container, docker compose run cores; on other systems, measure as many cores as there are'

/** Control groups below that of this process. A path is that of a group, such as `slow/1234`. */
export class ControlGroups {
  readonly #directory: string
  readonly #layout: Layout

  /** @param own the directory of the group that this process is in, which is `..` for the groups in `directory` */
  constructor(version: keyof typeof layouts, own: string, directory: string) {
    this.#layout = layouts[version]
    this.#directory = join(own, directory)
    this.create('.')
  }

  /** @throws UserError when that is not permitted */
  create(path: string): void {
    const group = join(this.#directory, path)
    try {
      mkdirSync(group)
      this.#layout.prepare(group)
    } catch (error) {
      removeGroup(group)
      throw new UserError(`${HOW} (${(error as NodeJS.ErrnoException).code})`)
    }
  }

  limit(path: string, quotaMicros: number, periodMicros: number): void {
    this.#layout.limit(join(this.#directory, path), Math.round(quotaMicros), Math.round(periodMicros))
  }

  weigh(path: string, weight: number): void {
    this.#layout.weigh(join(this.#directory, path), weight)
  }

  /** Moves a thread into a group, unless it has ended. Threads that it starts from then on begin in that group. */
  place(path: string, threadId: number): void {
    try {
      write(join(this.#directory, path), this.#layout.threads, threadId)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }

  /** Of all threads in the groups of a group. */
  members(path: string): number[] {
    return globSync(join(this.#directory, path, '*', this.#layout.threads)).flatMap(file =>
      readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number),
    )
  }

  /** Removes a group and the groups in it. One that still has threads stays. */
  remove(path = '.'): void {
    removeGroup(join(this.#directory, path))
  }
}

/** Finds the CPU controller of this process. @throws UserError when there is none */
export function findController(read = (file: string) => readFileSync(file, 'utf8')) {
  const [found] = candidates(read)
  if (!found) throw new UserError(HOW)
  return found
}

function candidates(read: (file: string) => string) {
  try {
    const groups = read('/proc/self/cgroup').trim().split('\n')
    const ownPath = (isOne: (controllers: string) => boolean) =>
      groups.map(line => line.split(':')).find(([, controllers = '']) => isOne(controllers))?.[2]
    return read('/proc/self/mountinfo')
      .trim()
      .split('\n')
      .flatMap(line => {
        const { root, mounted, type, options } = parseMount(line)
        const isV1 = type === 'cgroup' && options.includes('cpu')
        const path = isV1
          ? ownPath(names => names.split(',').includes('cpu'))
          : type === 'cgroup2'
            ? ownPath(names => names === '')
            : undefined
        if (path === undefined) return []
        const own = join(mounted, relative(root, path).startsWith('..') ? '' : relative(root, path))
        if (!isV1 && !read(join(own, 'cgroup.controllers')).split(/\s/).includes('cpu')) return []
        return [{ version: isV1 ? ('v1' as const) : ('v2' as const), own }]
      })
  } catch {
    return []
  }
}

/** See proc_pid_mountinfo(5). */
function parseMount(line: string) {
  const [before = '', after = ''] = line.split(' - ')
  const [, , , root = '/', mounted = '/'] = before.split(' ')
  const [type, , options = ''] = after.split(' ')
  return { root, mounted, type, options: options.split(',') }
}

/** Removes the groups of processes that have ended before their stacks had. @param prefix of the names, before the id */
export function removeStale(own: string, prefix: string): void {
  for (const name of readdirSync(own).filter(each => each.startsWith(prefix)))
    if (!existsSync(`/proc/${name.slice(prefix.length)}`)) removeGroup(join(own, name))
}

function removeGroup(group: string): void {
  try {
    for (const { name, parentPath } of readdirSync(group, { withFileTypes: true }).filter(each =>
      each.isDirectory(),
    ))
      removeGroup(join(parentPath, name))
    rmdirSync(group)
  } catch {
    // Its threads are still ending, or it is gone.
  }
}

const write = (group: string, file: string, value: string | number) =>
  writeFileSync(join(group, file), String(value), { flag: 'r+' })

const clamp = (value: number, least: number, most: number) =>
  Math.round(Math.min(Math.max(value, least), most))
