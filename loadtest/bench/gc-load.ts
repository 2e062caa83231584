import { setImmediate as turn } from 'node:timers/promises'

/** `node gc-load.ts MILLISECONDS` parses documents for so long, and keeps some of them for a while, as a cache does. */
const text = JSON.stringify(
  Array.from({ length: 100 }, (_, id) => ({ id, name: `line ${id} of this text`, price: id % 100 })),
)
/** About 3 MB of objects: few enough for V8 to collect the old generation often. */
const KEPT = 300
/** One document in so many is kept, and so survives; the rest die young. */
const PERIOD = 2

const cache: unknown[] = []
const until = performance.now() + Number(process.argv[2])
let documents = 0
for (; performance.now() < until; documents++) {
  const parsed = JSON.parse(text)
  if (documents % PERIOD === 0) cache[(documents / PERIOD) % KEPT] = parsed
  // V8 ends its marking between turns of the event loop.
  await turn()
}
process.stdout.write(`documents ${documents}\n`)
