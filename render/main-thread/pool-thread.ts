import { PooledThread } from '../../lib/main-thread/pooled-thread.ts'

/** A thread that renders. */
export abstract class PoolThread<Message extends { readonly kind: string }> extends PooledThread<Message> {
  constructor(file: string, data: object, memoryMib: number, onExit: () => void) {
    super({ file, name: 'render', data, memoryMib }, onExit)
  }
}
