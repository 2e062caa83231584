import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { JobFailed, type MessageEnd, patient } from './job.ts'
import { WorkQueue } from './work-queue.ts'

/** A queue whose messages are answered by the test, in the order in which they were sent. */
function createQueue(mayRunAgain?: (call: number, wasStarted: boolean) => boolean) {
  const sent: { calls: readonly number[]; answer(outcome: MessageEnd<number>): void }[] = []
  const queue = new WorkQueue<number, number>({
    workers: 1,
    slots: 1,
    jobsPerMessage: 256,
    dispatch: calls => new Promise(answer => sent.push({ calls, answer })),
    ...(mayRunAgain && { mayRunAgain }),
  })
  const answer = () => {
    const message = sent.shift()
    message?.answer({ kind: 'replies', replies: message.calls })
  }
  return { queue, sent, answer }
}

describe('a queue of jobs', () => {
  test('ends a job before the others of its message, and does not run it again when these are lost', async () => {
    const { promise: lost, resolve: lose } = Promise.withResolvers<MessageEnd<number>>()
    const sent: (readonly number[])[] = []
    const queue = new WorkQueue<number, number>({
      workers: 1,
      slots: 1,
      jobsPerMessage: 2,
      dispatch(calls, _, endEarly) {
        sent.push(calls)
        if (sent.length === 2) endEarly(0, 10)
        return sent.length === 2
          ? lost
          : Promise.resolve({ kind: 'replies', replies: calls.map(call => 2 * call) })
      },
    })
    const [first, early, other] = [0, 1, 2].map(call => queue.run(patient, call))
    assert.deepEqual([(await first)?.reply, (await early)?.reply], [0, 10])
    lose({ kind: 'lost', started: 1, isIdle: true })
    assert.equal((await other)?.reply, 4)
    assert.deepEqual(sent, [[0], [1, 2], [2]])
  })

  test('goes on when the end of a job cannot be handled', async () => {
    const { queue, answer } = createQueue()
    const warned = once(process, 'warning')
    queue.enqueue(patient, 1, () => {
      throw new Error('on purpose')
    })
    const other = queue.run(patient, 2)
    answer()
    assert.match((await warned)[0].message, /could not be handled: Error: on purpose/)
    answer()
    assert.equal((await other).reply, 2)
  })

  for (const [name, isIdle, mayRunAgain, expected] of [
    ['all but the one that ran', false, undefined, [2, 4]],
    ['all, if none ran', true, undefined, [2, 3, 4]],
    ['those that were not started', true, (_: number, was: boolean) => !was, [4]],
    ['none that may not be sent twice', true, () => false, []],
  ] as const)
    test(`sends again when a thread dies: ${name}`, async () => {
      const { queue, sent, answer } = createQueue(mayRunAgain)
      const failed: unknown[] = []
      // The first is sent alone, and the others together.
      for (const call of [1, 2, 3, 4])
        queue.enqueue(patient, call, end => end instanceof JobFailed && failed.push([call, end.failure]))
      answer()
      await turn()
      sent.shift()?.answer({ kind: 'lost', started: 2, isIdle })
      await turn()
      assert.deepEqual(sent[0]?.calls ?? [], expected)
      const lost = [2, 3, 4].filter(call => !(expected as readonly number[]).includes(call))
      assert.deepEqual(
        failed,
        lost.map(call => [call, 'died']),
      )
    })
})
