import type { Target } from './contract.ts'

/** Creates a target that writes the lines to stdout as they are, for a platform that collects the output of containers. */
export const createStdoutTarget = (): Target => ({
  name: 'stdout',
  deliver: records =>
    new Promise((resolve, reject) =>
      process.stdout.write(records.map(({ text }) => `${text}\n`).join(''), error =>
        error ? reject(error) : resolve([]),
      ),
    ),
  close: async () => {},
})
