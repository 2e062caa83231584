import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { agentOptions } from '../../apm-agent/options.ts'
import { appOptions } from '../../app/config.ts'
import { closeServer, listen } from '../../lib/http/listen.ts'
import { watchMachine } from '../../loadtest/sample/machine.ts'
import { ordersOptions } from '../../orders/order.ts'
import { stageOptions } from '../stage/options.ts'
import { TOUR } from '../stage/pictures/picture.ts'
import { readRecording } from '../stage/recording.ts'

const NOISE_MS = 3000
/** Other programs that take more of the machine's CPU time than this disturb the figures. */
const MOST_OTHERS = 0.1

/** What was found: whether it is good enough, and how to mend it if not. Null where this machine does not tell. */
interface Finding {
  readonly isGood: boolean | null
  readonly found: string
  readonly remedy?: string
}

/** The checklist of the evening before, in its order. */
const checks: Readonly<Record<string, () => Finding | Promise<Finding>>> = {
  noise: checkNoise,
  ports: checkPorts,
  tour: checkTour,
}

/** Prints the checklist. @returns whether nothing is in the way of the talk */
export async function checkReady(): Promise<boolean> {
  let isReady = true
  for (const [name, look] of Object.entries(checks)) {
    const { isGood, found, remedy } = await look()
    if (isGood === false) isReady = false
    const mark = isGood === null ? '?' : isGood ? '✔' : '✖'
    process.stdout.write(
      `${mark} ${name.padEnd(7)} ${found}${isGood === false && remedy ? `: ${remedy}` : ''}\n`,
    )
  }
  return isReady
}

async function checkNoise(): Promise<Finding> {
  const read = watchMachine([])
  await delay(NOISE_MS)
  const machine = read()
  if (!machine) return { isGood: null, found: 'this machine does not tell; close other programs' }
  const { othersShare, stealShare } = machine
  return {
    isGood: othersShare + stealShare <= MOST_OTHERS,
    found: `other programs take ${Math.round((othersShare + stealShare) * 100)} % of the CPU time`,
    remedy: 'close them',
  }
}

async function checkPorts(): Promise<Finding> {
  const ports = [
    appOptions.port,
    appOptions.adminPort,
    ordersOptions.port,
    agentOptions.port,
    stageOptions.stagePort,
  ]
  const numbers = ports.map(option => Number(option.default))
  const free = await Promise.all(numbers.map(isFree))
  const taken = numbers.filter((_, index) => !free[index])
  return {
    isGood: taken.length === 0,
    found: taken.length === 0 ? `${numbers.join(', ')} are free` : `${taken.join(', ')} taken`,
    remedy: 'end what listens there',
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await listen(server, '127.0.0.1', port)
    await closeServer(server)
    return true
  } catch {
    return false
  }
}

/** A recording of another commit is good enough: it says on the stage when and where it was made. */
function checkTour(): Finding {
  const record = 'npm run stage -- --tour 15s --whole --end --record docs/results/tour.ndjson'
  if (!existsSync(TOUR)) return { isGood: false, found: 'there is no recorded tour', remedy: record }
  return { isGood: true, found: `recorded ${readRecording(TOUR).setting.date.slice(0, 10)}` }
}
