import type { Exercise } from '../exercise.ts'

export const kill: Exercise = {
  name: 'kill',
  title: 'make a log line survive a kill',
  task: `A process can be killed at any moment (\`kill -9\`, out of memory), and then nothing of it runs any more: no \`finally\`, no
handler, no flush. The log lines that explain why it died are the last ones that it wrote. Two pieces that made them
survive are gone: one in the app's writer of segments, one in the process logger-transport, which delivers them.

Find both. For each, say which kill loses which lines, and what the piece costs.`,
  hints: [
    `Follow a line: \`SegmentWriter.write\` adds it to a string. When does it leave this process? What if no other line comes
for an hour?`,
    `A batch is written when it has 256 KiB, or at the next beat of a clock. \`#schedule\` is for the second case;
see who calls it.`,
    `In logger-transport/follow.ts the checkpoint says up to where a target has the lines. Imagine a kill between any two
lines of \`advance\`. Which order of "deliver" and "save the checkpoint" can lose a line, and which can only deliver it twice?`,
  ],
  after: `Lines of the last moment, since the last beat, are still lost with the app; docs/logging.md has the promises for each kill, and \`npm run test:faults --
logging\` kills real processes. Ask why "exactly once" is not among them, and how a reader finds lines that came twice.`,
}
