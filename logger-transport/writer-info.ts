import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseDirectoryName, WRITER_FILE, type WriterInfo } from './protocol.ts'
import type { Quarantine } from './quarantine.ts'
import { readSmall } from './regular-file.ts'

const MAX_BYTES = 64 * 1024

/** What the transport knows of a writer. */
export interface KnownInfo extends Omit<WriterInfo, 'linesBefore'> {
  /** Undefined if the file does not tell it. */
  readonly linesBefore: number | undefined
}

/**
 * Reads a writer's `writer.json`. A missing `diskBytes` means that the writer has no disk bound.
 * @throws if the file is missing or contains no `WriterInfo`
 */
export async function readInfo(directory: string): Promise<KnownInfo> {
  const text = await readSmall(join(directory, WRITER_FILE), MAX_BYTES)
  const { resource, boot, linesBefore, diskBytes } = JSON.parse(text) ?? {}
  if (typeof resource !== 'object' || resource === null || Array.isArray(resource))
    throw new TypeError('a resource is an object')
  return {
    resource,
    boot: typeof boot === 'string' ? boot : null,
    linesBefore: Number.isSafeInteger(linesBefore) && linesBefore >= 0 ? linesBefore : undefined,
    diskBytes: diskBytes > 0 ? Number(diskBytes) : Number.POSITIVE_INFINITY,
  }
}

/**
 * Reads a writer's `writer.json`. One that stays unreadable is set aside and replaced, so that the lines of the writer are
 * delivered all the same, with its instance as their only resource.
 * @returns undefined if the file is missing, or cannot be read yet
 */
export async function readOrReplaceInfo(
  directory: string,
  quarantine: Quarantine,
): Promise<KnownInfo | undefined> {
  const file = join(directory, WRITER_FILE)
  try {
    return await readInfo(directory)
  } catch (error) {
    if (!quarantine.take(file, error)) return undefined
    const resource = { instance: parseDirectoryName(basename(directory)).instance }
    // A living writer may have made its file again by now.
    await writeFile(file, JSON.stringify({ resource }), { mode: 0o600, flag: 'wx' }).catch(() => {})
    return readInfo(directory)
  }
}
