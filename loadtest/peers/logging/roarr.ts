import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { CreateLogSink } from '../../../app/concerns/logging/contract.ts'
import { openLogFile } from '../../../lib/telemetry/log-file.ts'

/** Roarr, whose lines go to a stream to a file. Fields are in `context` of each line, as it has them. */
export const createLogSink: CreateLogSink = async ({ logFile, resource, lineFields }) => {
  const stream = createWriteStream(openLogFile(logFile), { flags: 'a' })
  // It writes nothing unless this is set when it is loaded.
  process.env.ROARR_LOG = 'true'
  const { ROARR, Roarr } = await import('roarr')
  ROARR.write = (line: string) => stream.write(`${line}\n`)
  const log = Roarr.child(resource)
  let emitted = 0
  return {
    write(level, message, fields) {
      emitted++
      log[level]({ ...fields, ...lineFields() }, message)
    },
    counts: () => ({ emitted, dropped: 0 }),
    async close() {
      stream.end()
      await once(stream, 'close')
    },
  }
}
