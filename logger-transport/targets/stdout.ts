import type { Target } from './contract.ts'

/** Creates a target that writes lines to stdout as they are, for platforms that collect the output of a container. */
export function createStdoutTarget(): Target {
  // Without a listener a broken pipe would end the process. The write that failed reports it, and is tried again.
  process.stdout.on('error', () => {})
  return {
    name: 'stdout',
    deliver: records =>
      new Promise((resolve, reject) =>
        process.stdout.write(records.map(({ text }) => `${text}\n`).join(''), error =>
          error ? reject(error) : resolve([]),
        ),
      ),
    close: async () => {},
  }
}
