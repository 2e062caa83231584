import { dirname, join, resolve } from 'node:path'
import { agentOptions } from '../apm-agent/options.ts'
import { transportOptions } from '../logger-transport/options.ts'
import { BOOT_FILE } from '../logger-transport/protocol.ts'

const PROJECT = join(import.meta.dirname, '..')

type Given = Readonly<Record<string, unknown>>

/** The directories that a sidecar writes to, by its options. Whoever starts one elsewhere finds here what it needs. */
const written: Readonly<Record<string, (given: Given) => readonly string[]>> = {
  'apm-agent': ({ apmSocket = agentOptions.apmSocket.default }) => [dirname(String(apmSocket))],
  'logger-transport': ({
    logDir = transportOptions.logDir.default,
    logFile = transportOptions.logFile.default,
  }) => [String(logDir), dirname(String(logFile))],
}

/** Files that it reads besides, and nothing beside them. */
const alsoRead: Readonly<Record<string, readonly string[]>> = { 'logger-transport': [BOOT_FILE] }

/**
 * Flags of Node.js that leave a sidecar what it needs and nothing else: to read the project and what it writes, to
 * write there, and the network, of which a Unix socket is a part. It can start no process and no thread, and load no
 * addon. This is defence in depth, and not a boundary: Node.js promises nothing of it against malicious code.
 * @returns none for a process that is no sidecar
 */
export function permissionFlags(process: string, given: Given): string[] {
  const directories = written[process]?.(given)
  if (!directories) return []
  const paths = directories.map(directory => resolve(directory))
  const files = (alsoRead[process] ?? []).filter(
    file => !paths.some(path => file.startsWith(join(path, '/'))),
  )
  return [
    '--permission',
    '--allow-net',
    ...treesOf([PROJECT, ...paths]).map(tree => `--allow-fs-read=${tree}`),
    ...files.map(file => `--allow-fs-read=${file}`),
    ...treesOf(paths).map(tree => `--allow-fs-write=${tree}`),
    // It says that --allow-net is new.
    '--disable-warning=ExperimentalWarning',
  ]
}

/**
 * What a flag takes for a directory and all below it, whether or not it is there yet. Of a directory within another
 * only the outer is named: Node.js 26 forgets the outer one's own path when it is given both.
 */
const treesOf = (directories: readonly string[]): string[] =>
  directories
    .filter(inner => !directories.some(outer => outer !== inner && inner.startsWith(join(outer, '/'))))
    .map(directory => join(directory, '*'))
