import { Console } from 'node:console'
import { closeSync, openSync, writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import type { CreateLogSink } from '../../../app/concerns/logging/contract.ts'
import { openLogFile } from '../../../lib/telemetry/log-file.ts'

/** `console.log` of a line of JSON, whose output goes to a file: Node.js writes each line at once, and waits for it. */
export const createLogSink: CreateLogSink = async ({ logFile, resource, lineFields }) => {
  const file = openSync(openLogFile(logFile), 'a')
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      writeSync(file, chunk)
      done()
    },
  })
  const { log } = new Console({ stdout })
  let emitted = 0
  return {
    write(level, message, fields) {
      emitted++
      log(JSON.stringify({ ...resource, ...fields, ...lineFields(), time: Date.now(), level, message }))
    },
    counts: () => ({ emitted, dropped: 0 }),
    close: async () => closeSync(file),
  }
}
