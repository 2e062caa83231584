import type { Stack } from '../../stack/stack.ts'

/** Looks into the app of one sample while its window is open. */
export interface Probe {
  /** What the app must be started with. */
  readonly appNodeFlags: readonly string[]
  attach(stack: Stack): Promise<void>
  opened(): Promise<void>
  closed(): Promise<void>
  /** Called before the stack is stopped, perhaps again: a process ends only when its inspector has nobody to talk to. */
  detach(): void
}

/** Lets an inspector connect, to a free port of loopback. */
export const INSPECTED = ['--inspect=127.0.0.1:0', '--inspect-publish-uid=http'] as const
