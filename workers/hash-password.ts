import { scryptSync } from 'node:crypto'
import { integer, type Values } from '../lib/cli/options.ts'
import { seedParameter } from '../lib/random.ts'

/** The work and the memory double with each number. */
const parameters = {
  cost: integer({ min: 8, max: 14, default: '10', help: 'N of scrypt, as a power of two' }),
  seed: seedParameter,
} as const

const HASH_BYTES = 32

/** Hashes a password with scrypt, which is one call that nothing can interrupt. */
export const hashPassword = {
  path: '/hash',
  parameters,
  run: ({ cost, seed }: Values<typeof parameters>) => ({
    hash: scryptSync(`password ${seed}`, `salt ${seed}`, HASH_BYTES, { N: 2 ** cost }).toString('hex'),
  }),
} as const
