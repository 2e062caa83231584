import type { CallPool } from './call-pool.ts'
import { GetPool } from './get-pool.ts'

/** Creates a pool of connections for GET requests. Ours takes half of undici's time for a request; it has no TLS. */
export async function createGetPool(url: string): Promise<CallPool> {
  if (URL.parse(url)?.protocol === 'http:') return new GetPool(url)
  const { Pool } = await import('undici')
  return new Pool(url, { pipelining: 1 })
}
