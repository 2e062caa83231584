import { rm } from 'node:fs/promises'
import type { AgentCounts } from './counts.ts'
import { listenOnSocket } from './listen-on-socket.ts'
import { createRecordServer } from './record-server.ts'
import type { Reporters } from './reporters.ts'

/** Counts the records of apps that come over a Unix socket, until it is closed. */
export async function receiveRecords(
  socket: string,
  to: { readonly counts: AgentCounts; readonly reporters: Reporters },
) {
  const server = createRecordServer({ ...to, takeSpans: undefined })
  await listenOnSocket(server, socket)
  return {
    async close(): Promise<void> {
      server.close()
      await rm(socket, { force: true })
    },
  }
}
