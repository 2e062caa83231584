import { schedule } from '../../generator/arrivals.ts'
import type { Load } from '../../generator/protocol.ts'
import type { Agenda } from './agenda.ts'

/** The load, as the load generator sends it. */
export interface SimulatedLoad {
  readonly load: Load
  readonly connections: number
}

/** Sends one request on a connection, and calls `answered` after the answer. */
type Send = (connection: number, answered: () => void) => void

/**
 * Starts the clients.
 * @param record called after each answer with the time since the request was sent or, in an open loop, was due
 */
export function startClients(
  agenda: Agenda,
  { load, connections }: SimulatedLoad,
  send: Send,
  record: (latencyMicros: number) => void,
): void {
  if (load.kind === 'closed') startClosedLoop(agenda, connections, send, record)
  else startOpenLoop(agenda, load, connections, send, record)
}

function startClosedLoop(
  agenda: Agenda,
  connections: number,
  send: Send,
  record: (latencyMicros: number) => void,
): void {
  const ask = (connection: number) => {
    const askedAtMicros = agenda.nowMicros
    send(connection, () => {
      record(agenda.nowMicros - askedAtMicros)
      ask(connection)
    })
  }
  for (let connection = 0; connection < connections; connection++) ask(connection)
}

/** When all connections are busy, a request waits for one. */
function startOpenLoop(
  agenda: Agenda,
  load: Load & { kind: 'open' },
  connections: number,
  send: Send,
  record: (latencyMicros: number) => void,
): void {
  const times = schedule(load)
  const free = Array.from({ length: connections }, (_, connection) => connections - 1 - connection)
  const waiting: number[] = []

  function begin(connection: number, dueAtMicros: number): void {
    send(connection, () => {
      record(agenda.nowMicros - dueAtMicros)
      const next = waiting.shift()
      if (next === undefined) free.push(connection)
      else begin(connection, next)
    })
  }

  function sendNext(): void {
    const dueAtMicros = times.next().value * 1000
    agenda.after(dueAtMicros - agenda.nowMicros, () => {
      const connection = free.pop()
      if (connection === undefined) waiting.push(dueAtMicros)
      else begin(connection, dueAtMicros)
      sendNext()
    })
  }

  sendNext()
}
