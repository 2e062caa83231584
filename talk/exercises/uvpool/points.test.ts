import { scrypt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { expectPoints } from '../point.fixture.ts'
import { limitHashes } from './hash-passwords.ts'

const FILE = 'talk/exercises/uvpool/hash-passwords.ts'
const MOST = 2
const passwords = Array.from({ length: 8 }, (_, index) => `password ${index}`)

/** Hashes that end when the test says so. */
function watchedHash() {
  const begun: { readonly password: string; end(): void; fail(): void }[] = []
  const hash = (password: string) =>
    new Promise<string>((resolve, reject) =>
      begun.push({
        password,
        end: () => resolve(`hash of ${password}`),
        fail: () => reject(new Error('no memory')),
      }),
    )
  return { begun, limited: limitHashes(hash, MOST) }
}

async function seeMost() {
  const { begun, limited } = watchedHash()
  for (const password of passwords) void limited(password)
  await turn()
  return begun.length === MOST ? undefined : `${begun.length} of ${passwords.length} hashes began at once`
}

async function seeOrder() {
  const { begun, limited } = watchedHash()
  const hashed = passwords.map(limited)
  for (let index = 0; index < passwords.length; index++) {
    await turn()
    begun[index]?.end()
  }
  await turn()
  const order = begun.map(({ password }) => password)
  if (order.join() !== passwords.join()) return `they began in the order ${order.join(', ') || 'of none'}`
  const results = await Promise.all(hashed)
  return results.every((result, index) => result === `hash of ${passwords[index]}`)
    ? undefined
    : 'a hash is of another password'
}

async function seeFailure() {
  const { begun, limited } = watchedHash()
  const hashed = passwords.map(password => limited(password).catch(() => 'failed'))
  for (let index = 0; index < passwords.length; index++) {
    await turn()
    if (index < MOST) begun[index]?.fail()
    else begun[index]?.end()
  }
  await turn()
  void hashed
  return begun.length === passwords.length
    ? undefined
    : `after two failures, ${passwords.length - begun.length} hashes never began`
}

/** On a busy machine, four hashes take seconds. */
const HASHES_LIMIT_MS = 30_000

/** With four hashes in the pool, a file has to wait for one of them; with two, it does not. */
async function seeFile() {
  const events: string[] = []
  const hash = (password: string) =>
    new Promise<string>((resolve, reject) =>
      scrypt(password, 'salt', 32, { N: 2 ** 15, maxmem: 2 ** 26 }, (error, key) =>
        error ? reject(error) : resolve(key.toString('hex')),
      ),
    )
  const limited = limitHashes(hash, MOST)
  const hashed = passwords.slice(0, 4).map(password => limited(password).then(() => events.push('a hash')))
  await readFile(import.meta.filename)
  const before = events.length
  await Promise.all(hashed)
  return before === 0 ? undefined : `a file was read after ${before} hashes`
}

expectPoints([
  {
    expects: `at most ${MOST} hashes are in the pool at once`,
    look: `${FILE}: who counts those that run?`,
    see: seeMost,
  },
  {
    expects: 'hashes begin in the order in which they were asked for, each with its own result',
    look: `${FILE}: the queue is first in, first out`,
    see: seeOrder,
  },
  {
    expects: 'a hash that fails lets the next one in',
    look: `${FILE}: \`finally\` runs after failures too`,
    see: seeFailure,
  },
  {
    expects: 'a file is read before any of four hashes has ended',
    look: `${FILE}: two of the four threads have to stay free`,
    see: seeFile,
    limitMs: HASHES_LIMIT_MS,
  },
])
