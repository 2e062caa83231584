import { beats } from '../../../lib/main-thread/beats.ts'
import { segmentLimits } from '../../../logger-transport/main-thread/segment-limits.ts'
import { SegmentWriter } from '../../../logger-transport/main-thread/segment-writer.ts'

/**
 * An app that logs a few lines and then waits for requests. It tells its parent when it has nothing left to do after a
 * beat, and waits to be killed.
 */
const [logDirectory = '', lines] = process.argv.slice(2)
const resource = { service: 'app', version: '1', host: 'h', pid: process.pid, instance: 'killed' }
const writer = new SegmentWriter(logDirectory, resource, segmentLimits(2 ** 20, 2 ** 24), {
  onTrouble() {},
  onMoved() {},
})
for (let line = 1; line <= Number(lines); line++) writer.write(`{"line":${line}}\n`)

// The timer of the beats keeps no process alive. What the writer left to a beat waits for this one or an earlier one, and
// is called first.
const alive = setInterval(() => {}, 1000)
beats.call(() => clearInterval(alive))

// This event comes when no timer and no write is left: whatever the writer meant to do by itself is done.
process.once('beforeExit', () => {
  setInterval(() => {}, 1000)
  process.send?.('idle')
})
