import type { Fault } from '../fault.ts'
import { fuzzAgentHttp, fuzzRecords } from './agent.ts'
import { compareFrameworks, sendMalformed } from './http.ts'
import { fuzzParts, fuzzTasks } from './pools.ts'
import { fuzzProfiles } from './profiles.ts'
import { fuzzSpans } from './spans.ts'
import { stall } from './stalling.ts'
import { fuzzCheckpoints, fuzzSegments } from './transport.ts'

/** @returns the number of inputs that were sent @throws when a promise does not hold */
type Fuzz = (directory: string, inputs: number, seed: number, isFull: boolean) => Promise<number>

interface Target {
  readonly name: string
  readonly fuzz: Fuzz
  /** The least number of inputs of a full run. */
  readonly inputs: number
  /** Duration of a full run. */
  readonly seconds: number
}

/** The places where bytes come in from outside. */
const targets: readonly Target[] = [
  { name: 'odd requests, the same to every framework', fuzz: compareFrameworks, inputs: 36_000, seconds: 60 },
  { name: 'requests that are not HTTP', fuzz: sendMalformed, inputs: 16_000, seconds: 30 },
  { name: 'clients that stall or close their side', fuzz: stall, inputs: 200, seconds: 45 },
  { name: 'anything on the socket for records', fuzz: fuzzRecords, inputs: 24_000, seconds: 20 },
  { name: 'anything to apm-agent over HTTP', fuzz: fuzzAgentHttp, inputs: 10_000, seconds: 15 },
  { name: 'anything in segments', fuzz: fuzzSegments, inputs: 10_000, seconds: 5 },
  { name: 'odd profiles for main-thread', fuzz: fuzzProfiles, inputs: 10_000, seconds: 5 },
  { name: 'tasks that return and throw anything', fuzz: fuzzTasks, inputs: 20_000, seconds: 20 },
  { name: 'parts that are and throw anything', fuzz: fuzzParts, inputs: 10_000, seconds: 30 },
  { name: 'odd spans of a service', fuzz: fuzzSpans, inputs: 20_000, seconds: 10 },
  { name: 'anything in checkpoints', fuzz: fuzzCheckpoints, inputs: 2000, seconds: 2 },
]

const inputsInAll = targets.reduce((total, { inputs }) => total + inputs, 0)

export const fuzzFaults: readonly Fault[] = targets.map(({ name, fuzz, inputs, seconds: inFull }) => ({
  name,
  seconds: inFull,
  async run(directory, seconds, { seed }) {
    const share = Math.min(1, seconds / inFull)
    const sent = await fuzz(directory, Math.ceil(inputs * share), seed, share === 1)
    return `${sent} inputs of seed ${seed} (a full run has ${inputsInAll}): no crash, no 5xx but those meant, right bodies after`
  },
}))
