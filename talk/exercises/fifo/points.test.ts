import { setImmediate as turn } from 'node:timers/promises'
import { JobFailed, type MessageEnd, patient } from '../../../lib/main-thread/job.ts'
import { WorkQueue } from '../../../lib/main-thread/work-queue.ts'
import { ClientWatch } from '../../../lib/threads/envelope.ts'
import { expectPoints } from '../point.fixture.ts'

const FILE = 'lib/main-thread/work-queue.ts'
const CLIENTS = 50
const ANSWERS = 10 * CLIENTS

/** A client that can leave. */
const impatient = () => Object.assign(new ClientWatch(), { deadline: patient.deadline })

/** A queue before one worker that does one job at a time. @param answer makes the outcome of a job, by default its own name */
function openQueue(
  answer: (job: number) => MessageEnd<number> = job => ({ kind: 'replies', replies: [job] }),
) {
  /** The jobs in the order in which the worker began them. */
  const begun: number[] = []
  const queue = new WorkQueue<number, number>({
    workers: 1,
    slots: 1,
    jobsPerMessage: 1,
    async dispatch([job]) {
      begun.push(job as number)
      await turn()
      return answer(job as number)
    },
  })
  return { queue, begun }
}

/** Clients that ask again as soon as they are answered. @returns the answers of each, and its longest wait in answers */
async function serveClients() {
  const { queue } = openQueue()
  const answers = Array.from({ length: CLIENTS }, () => 0)
  const waits = Array.from({ length: CLIENTS }, () => 0)
  let given = 0
  const keepAsking = async (client: number) => {
    while (given < ANSWERS) {
      const askedAt = given
      await queue.run(patient, client)
      waits[client] = Math.max(waits[client] as number, given - askedAt)
      if (given < ANSWERS) answers[client] = (answers[client] as number) + 1
      given++
    }
  }
  await Promise.all(answers.map((_, client) => keepAsking(client)))
  return { answers, waits }
}

async function seeShares() {
  const { answers } = await serveClients()
  const without = answers.filter(count => count === 0).length
  const most = Math.max(...answers)
  const [fewest, fair] = [Math.min(...answers), ANSWERS / CLIENTS]
  return fewest < fair / 2
    ? `${without} of ${CLIENTS} clients got no answer at all, and one got ${most} of ${ANSWERS}`
    : undefined
}

async function seeWaits() {
  const { waits } = await serveClients()
  const longest = Math.max(...waits)
  return longest > CLIENTS ? `somebody waited while ${longest} answers went to others` : undefined
}

async function seeOrder() {
  const { queue, begun } = openQueue()
  const jobs = Array.from({ length: 8 }, (_, job) => job)
  await Promise.all(jobs.map(job => queue.run(patient, job)))
  return isAscending(begun) ? undefined : `they began in the order ${begun.join(', ')}`
}

async function seeReturned() {
  let isFirst = true
  const { queue, begun } = openQueue(job => {
    const outcome = isFirst
      ? ({ kind: 'lost', started: 0 } as const)
      : ({ kind: 'replies', replies: [job] } as const)
    isFirst = false
    return outcome
  })
  await Promise.all([0, 1, 2, 3].map(job => queue.run(patient, job)))
  const [, ...again] = begun
  return isAscending(again)
    ? undefined
    : `after it was given back, jobs began in the order ${again.join(', ')}`
}

async function seeLeaving() {
  const { queue, begun } = openQueue()
  const client = impatient()
  const staying = [0, 1].map(job => queue.run(patient, job))
  const left = queue.run(client, 2).then(
    () => 'it was answered',
    error => (error instanceof JobFailed ? error.failure : String(error)),
  )
  client.abort()
  const outcome = await left
  await Promise.all(staying)
  return outcome === 'client gone' && !begun.includes(2) ? undefined : `the outcome of its job: ${outcome}`
}

const isAscending = (numbers: readonly number[]) =>
  numbers.every((number, index) => index === 0 || number > (numbers[index - 1] as number))

expectPoints([
  {
    expects: `${CLIENTS} clients that ask again at once share ${ANSWERS} answers evenly: none gets less than half of its part`,
    look: `${FILE}: which of the waiting jobs goes next? The client that was answered last is also the one that asked last`,
    see: seeShares,
  },
  {
    expects: `nobody waits for more than ${CLIENTS} answers, one for each client`,
    look: `${FILE}: the longest wait is what p99 shows, and a median does not`,
    see: seeWaits,
  },
  {
    expects: 'eight jobs that wait for one worker begin in the order in which they came',
    look: `${FILE}: the order of the jobs that are taken out of \`#waiting\``,
    see: seeOrder,
  },
  {
    expects: 'a job that a dead thread gives back is the first again, because it has waited longest',
    look: `${FILE}: \`#recover\` puts it to the front; does the front go first?`,
    see: seeReturned,
  },
  {
    expects: 'a job whose client leaves is taken out of the middle of the queue, and never begins',
    look: `${FILE}: \`#giveUp\` deletes it from \`#waiting\``,
    see: seeLeaving,
  },
])
