import type { Exercise } from '../exercise.ts'

export const predict: Exercise = {
  name: 'predict',
  title: 'read a spectrum and predict',
  task: `A spectrum says where the CPU time of a thread goes. Before anything is moved, it says what a move can bring, and where
to begin. The table below is the published run of /demo, with 50 clients on two cores; the work in threads is that of one
worker.

Write your predictions into talk/exercises/predict/predictions.ts, with the sums that led to them. Then check them against what
was measured. docs/spectrum.md has the answers, so read it afterwards.`,
  hints: [
    `Amdahl: if a concern with the share s leaves completely, the cost falls to 1 - s of what it was. A share is of the main
thread's time at that step, not at step 0.`,
    `What bounds goodput once the main thread has time left? Look for the busiest thread: 1,000,000 divided by its CPU
microseconds a response is the most that it can do in a second.`,
    'A concern that a request does not use has no share, whatever it costs elsewhere.',
  ],
  after: `The measured gains are in docs/spectrum.md, at best and as measured. Some are larger than the share, because a concern
also causes garbage collection and work of HTTP. Ask why the ladder keeps the talk's order and the spectrum suggests another, and measure a
service of your own: npm run main-thread -- spectrum --help`,
  table: async () => (await import('./table.ts')).renderShares(),
}
