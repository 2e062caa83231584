import { methods, protocolVersions } from '../protocol.ts'

const methodIds = new Map(methods.map((method, id) => [method, id]))
const versionIds = new Map(protocolVersions.map((version, id) => [version, id]))

/** The number of a method. Methods that the semantic conventions do not know have that of `_OTHER`. */
export const methodId = (method: string | undefined): number => methodIds.get(method ?? '') ?? 0
export const versionId = (version: string): number => versionIds.get(version) ?? 0
export const HTTP_1_1 = versionId('1.1')
