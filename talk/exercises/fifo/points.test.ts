import { setImmediate as turn } from 'node:timers/promises'
import { type MessageEnd, patient } from '../../../lib/main-thread/job.ts'
import { WorkQueue } from '../../../lib/main-thread/work-queue.ts'
import { expectPoints } from '../point.fixture.ts'

const FILE = 'lib/main-thread/work-queue.ts'
const CLIENTS = 50
const ANSWERS = 10 * CLIENTS

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

/** Lets clients ask again as soon as they are answered, and finds the longest wait of one, in answers to others. */
async function seeWaits() {
  const { queue } = openQueue()
  let [given, longest] = [0, 0]
  const keepAsking = async (client: number) => {
    while (given < ANSWERS) {
      const askedAt = given
      await queue.run(patient, client)
      longest = Math.max(longest, given - askedAt)
      given++
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => keepAsking(client)))
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

const isAscending = (numbers: readonly number[]) =>
  numbers.every((number, index) => index === 0 || number > (numbers[index - 1] as number))

expectPoints([
  {
    expects: `of ${CLIENTS} clients that ask again at once, nobody waits for more than ${CLIENTS} answers, one for each`,
    look: `${FILE}: which of the waiting jobs goes next? The client that was answered last is also the one that asked last. The
longest wait is what p99 shows, and a median does not`,
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
])
