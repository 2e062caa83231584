import type { Exercise } from '../exercise.ts'

export const omission: Exercise = {
  name: 'omission',
  title: 'find a lie in a benchmark',
  task: `A benchmark promises 50 requests a second and reports p99 = 5 ms. During its run, of a second and a half, the server stood
still for 0.4 s. Both are true, and the report is a lie.

The load generator is loadtest/generator/open-loop.ts. Find what it leaves out, first in words: how many requests were due
while the server stood still, how long did each of them wait, and where are they in the report? Then correct it. The check
runs it against a server that pauses, in simulated time, so that every figure is exact.`,
  hints: [
    `A schedule says when each request is due. What does the generator do with requests that become due while it waits for an
answer?`,
    `Latency counts from the time when a request was due (\`nextAtMs\`), not from the time when the generator came round to send
it. The users of that request have waited since then.`,
    `Do not wait for answers: send everything that is due, note the promise in \`inFlight\`, and set a timer for the next request.
\`ask\` never rejects. \`stop\` waits for what is in flight.`,
  ],
  after: `This is coordinated omission (Tene, How NOT to Measure Latency): the measured system decides when it is measured. Ask which
tools do it (each client of a closed loop does), when a closed loop is right all the same (to find the capacity), and see
docs/method.md. \`npm run loadtest -- open --rate 100,200\` uses the file that you corrected.`,
}
