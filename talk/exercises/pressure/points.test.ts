import { Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expectPoints } from '../point.fixture.ts'
import { passOn } from './pass-on.ts'

const FILE = 'talk/exercises/pressure/pass-on.ts'
const CHUNK_BYTES = 1024
const CHUNKS = 100
/** The client has room for this many chunks that it has not read. */
const ROOM = 4

/** A source that counts its chunks, and notes how it ended. */
function countedSource() {
  const seen = { made: 0, end: 'not at all' }
  async function* make(): AsyncGenerator<Uint8Array> {
    try {
      for (; seen.made < CHUNKS; seen.made++) yield Buffer.alloc(CHUNK_BYTES, seen.made)
      seen.end = 'complete'
    } finally {
      if (seen.end !== 'complete') seen.end = 'early'
    }
  }
  return { seen, source: make() }
}

/** A client that reads a chunk when it is told to. */
function slowClient() {
  const received: number[] = []
  let next = () => {}
  const client = new Writable({
    highWaterMark: ROOM * CHUNK_BYTES,
    write(chunk: Buffer, _encoding, done) {
      next = () => {
        received.push(chunk[0] as number)
        done()
      }
    },
  })
  return { client, received, read: () => next() }
}

async function turns(count: number) {
  for (let left = count; left > 0; left--) await turn()
}

async function seeWaiting() {
  const { seen, source } = countedSource()
  const { client } = slowClient()
  void passOn(source, client)
  await turns(CHUNKS)
  client.destroy()
  return seen.made <= ROOM + 1 ? undefined : `the source made ${seen.made} chunks for a client that read none`
}

async function seeAll() {
  const { source } = countedSource()
  const { client, received, read } = slowClient()
  const passed = passOn(source, client)
  for (let left = 3 * CHUNKS; left > 0 && received.length < CHUNKS; left--) {
    read()
    await turn()
  }
  if (received.length < CHUNKS) return `the client got ${received.length} of ${CHUNKS} chunks`
  await passed
  return received.every((first, index) => first === index) ? undefined : 'the chunks came in another order'
}

async function seeGone() {
  const { seen, source } = countedSource()
  const { client } = slowClient()
  const passed = passOn(source, client)
  await turns(ROOM)
  client.destroy()
  const end = await Promise.race([passed.then(() => seen.end), turns(CHUNKS).then(() => seen.end)])
  return end === 'early' ? undefined : `the source ended ${end}`
}

expectPoints([
  {
    expects: 'the source waits for a client that does not read',
    look: `${FILE}: what does \`write\` return?`,
    see: seeWaiting,
  },
  { expects: 'a slow client gets every chunk, in order', look: `${FILE}: go on at \`drain\``, see: seeAll },
  {
    expects: 'the source ends when the client goes away',
    look: `${FILE}: a client that has gone emits \`close\`, and no \`drain\``,
    see: seeGone,
  },
])
