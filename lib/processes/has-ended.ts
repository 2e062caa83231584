import type { ChildProcess } from 'node:child_process'

/** Whether a child process has exited, or was ended by a signal. */
export const hasEnded = ({ exitCode, signalCode }: Pick<ChildProcess, 'exitCode' | 'signalCode'>): boolean =>
  exitCode !== null || signalCode !== null
