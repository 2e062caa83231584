import type { RunningStack } from '../../stack/stack.ts'

/** Observes the app of one sample while its window is open. */
export interface Probe {
  /** Flags of Node.js that the app must be started with. */
  readonly appNodeFlags: readonly string[]
  attach(stack: RunningStack): Promise<void>
  opened(): Promise<void>
  closed(): Promise<void>
  /**
   * Called, perhaps twice, before the stack is stopped: a process ends only when no client is connected to its
   * inspector.
   */
  detach(): void
}

/** The moments of the window that a probe is told of. */
export type ProbeEvent = 'opened' | 'closed'

/** Flags that open an inspector on a free port of loopback. */
export const INSPECTED = ['--inspect=127.0.0.1:0', '--inspect-publish-uid=http'] as const
