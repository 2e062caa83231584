import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
// An older Node.js is refused here, because it lacks --allow-net.
import '../lib/require-node.js'
import { agentOptions } from '../apm-agent/options.ts'
import { transportOptions } from '../logger-transport/options.ts'
import { BOOT_FILE } from '../logger-transport/protocol.ts'
import { v8Flags } from './v8-flags.ts'

const PROJECT = join(import.meta.dirname, '..')

type Given = Readonly<Record<string, unknown>>

/** Flags of Node.js with which a process of the stack runs, by its options. @param compiled as `permissionFlags` takes it */
export const nodeFlagsOf = (process: string, given: Given, compiled?: string): string[] => [
  ...permissionFlags(process, given, compiled),
  ...(v8Flags[process] ?? []),
]

/**
 * The directory in which a process keeps compiled code; undefined if `NODE_COMPILE_CACHE` names none. A sidecar has a part of its
 * own, because it would not be confined if it could write code that other processes run.
 */
export const compiledCodeOf = (process: string, { NODE_COMPILE_CACHE: all }: NodeJS.ProcessEnv) =>
  all && (process in written ? join(all, process) : all)

/**
 * The directories to which a sidecar writes, by its options. This table is also for operators who start a sidecar
 * themselves.
 */
const written: Readonly<Record<string, (given: Given) => readonly string[]>> = {
  'apm-agent': ({ apmSocket = agentOptions.apmSocket.default }) => [dirname(String(apmSocket))],
  'logger-transport': ({
    logDir = transportOptions.logDir.default,
    logFile = transportOptions.logFile.default,
  }) => [String(logDir), dirname(String(logFile)), dirname(linkedFrom(String(logFile)))],
}

/** A log file that is a link is written where the link leads to. */
const linkedFrom = (file: string): string => (existsSync(file) ? realpathSync(file) : file)

/** Files outside these directories that a sidecar reads. */
const alsoRead: Readonly<Record<string, readonly string[]>> = { 'logger-transport': [BOOT_FILE] }

/**
 * Flags of Node.js that give a sidecar only the permissions that it needs: to read the project, to read and write its
 * own directories, and to use the network, which includes Unix sockets. It can start no process and no thread, and load
 * no addon. This is defence in depth and not a security boundary: Node.js does not promise that it stops malicious
 * code.
 * @param compiled the directory in which Node.js keeps its compiled code, if there is one
 * @returns no flags for a process that is not a sidecar
 */
export function permissionFlags(process: string, given: Given, compiled?: string): string[] {
  const directories = written[process]?.(given)
  if (!directories) return []
  const paths = [...new Set([...directories, ...(compiled ? [compiled] : [])].map(each => resolve(each)))]
  const files = (alsoRead[process] ?? []).filter(
    file => !paths.some(path => file.startsWith(join(path, '/'))),
  )
  return [
    '--permission',
    '--allow-net',
    ...treesOf([...importedDirectories(), ...paths]).map(tree => `--allow-fs-read=${tree}`),
    ...files.map(file => `--allow-fs-read=${file}`),
    ...treesOf(paths).map(tree => `--allow-fs-write=${tree}`),
    // Node.js warns that --allow-net is experimental.
    '--disable-warning=ExperimentalWarning',
  ]
}

/**
 * The directories from which a process imports modules: the project, and each `node_modules` in which Node.js looks for packages.
 * It imports a module by its real path, and `node_modules` may be a link or stand in a directory above, as in a worktree.
 */
export function importedDirectories(project = PROJECT): string[] {
  const above = (directory: string): string[] =>
    dirname(directory) === directory ? [directory] : [directory, ...above(dirname(directory))]
  const packages = above(project).map(directory => join(directory, 'node_modules'))
  return [
    project,
    ...packages.filter(directory => existsSync(directory)).map(directory => realpathSync(directory)),
  ]
}

/**
 * The pattern that permits a directory and everything below it, whether or not it exists yet. If one directory contains
 * another, only the outer one is named: given both, Node.js 26 loses the permission for the outer directory itself.
 */
const treesOf = (directories: readonly string[]): string[] =>
  directories
    .filter(inner => !directories.some(outer => outer !== inner && inner.startsWith(join(outer, '/'))))
    .map(directory => join(directory, '*'))
