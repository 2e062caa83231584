import { type Target, TargetGone } from './contract.ts'

/** Errors of a pipe or terminal whose other end is closed. */
const GONE = ['EPIPE', 'ECONNRESET', 'EIO', 'EBADF', 'ERR_STREAM_DESTROYED']

/** Creates a target that writes lines to stdout as they are, for platforms that collect the output of a container. */
export const createStdoutTarget = (): Target => ({
  name: 'stdout',
  deliver: records => writeToStdout(records.map(({ text }) => `${text}\n`).join('')),
  close: async () => {},
})

/** @throws TargetGone if nobody reads stdout any more, because another reader cannot come */
function writeToStdout(text: string): Promise<readonly []> {
  // Without a listener a broken pipe would end the process. The write that failed reports it.
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => {})
  return new Promise((resolve, reject) =>
    process.stdout.write(text, error => {
      if (!error) resolve([])
      else
        reject(
          GONE.includes((error as NodeJS.ErrnoException).code ?? '') ? new TargetGone(error.message) : error,
        )
    }),
  )
}
