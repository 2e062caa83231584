import { join } from 'node:path'
import { count } from '../lib/check.ts'
import { WRITER_FILE, type WriterInfo } from './protocol.ts'
import { readSmall, Unreadable } from './regular-file.ts'

const MAX_BYTES = 64 * 1024

/** What the transport knows of a writer. */
export interface KnownInfo extends Omit<WriterInfo, 'linesBefore'> {
  /** Undefined if the file does not tell it. */
  readonly linesBefore: number | undefined
}

/**
 * Reads a writer's `writer.json`. A missing `diskBytes` means that the writer has no disk bound.
 * @throws Unreadable if the file is missing or contains no `WriterInfo`
 */
export async function readInfo(directory: string): Promise<KnownInfo> {
  const file = join(directory, WRITER_FILE)
  try {
    return toInfo(JSON.parse(await readSmall(file, MAX_BYTES)))
  } catch (error) {
    throw new Unreadable(file, error as Error)
  }
}

function toInfo(given: Partial<Record<keyof WriterInfo, unknown>> | null): KnownInfo {
  const { resource, boot, linesBefore, diskBytes } = given ?? {}
  if (typeof resource !== 'object' || resource === null || Array.isArray(resource))
    throw new TypeError('a resource is an object')
  return {
    resource: resource as WriterInfo['resource'],
    boot: typeof boot === 'string' ? boot : null,
    linesBefore: count(linesBefore) ? linesBefore : undefined,
    diskBytes: Number(diskBytes) > 0 ? Number(diskBytes) : Number.POSITIVE_INFINITY,
  }
}
