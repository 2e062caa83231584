import type { RunningStack } from '../../stack/stack.ts'

/** Observes or changes the stack of one sample while it is under load. */
export interface Probe {
  /** Flags of Node.js that the app must be started with. */
  readonly appNodeFlags?: readonly string[]
  /** Flags of Node.js for all processes of the stack, and for the load generator. */
  readonly nodeFlags?: readonly string[]
  /** Called when the stack has started, and its load begins. */
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
