import { join } from 'node:path'
import { readKeys } from '../../lib/cli/keys.ts'
import { startProcess } from '../../lib/processes/start-process.ts'
import { commandOfKey } from '../../screen/keys.ts'

/** Replaces a process at each key of the terminal, as the stage replaces the app, and says so on stderr. */

const file = join(import.meta.dirname, '../../orders/main.ts')
const start = () => startProcess({ name: 'orders', file, flags: ['--port', '0'], echo: false })

let shown = await start()
const releaseKeys = readKeys(
  async key => {
    const next = await start()
    await shown.stop()
    shown = next
    process.stderr.write(`obeyed ${JSON.stringify(commandOfKey(key))}\n`)
  },
  async () => {
    releaseKeys()
    await shown.stop()
    process.stderr.write('ended\n')
    process.exit()
  },
)
process.stderr.write('ready\n')
