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
 * @param record called after each answer with the time at which the request was sent or, in an open loop, was due
 */
export function startClients(
  agenda: Agenda,
  { load, connections }: SimulatedLoad,
  send: Send,
  record: (dueAtMicros: number) => void,
): void {
  if (load.kind === 'closed') startClosedLoop(agenda, connections, send, record)
  else startOpenLoop(agenda, load, connections, send, record)
}

function startClosedLoop(
  agenda: Agenda,
  connections: number,
  send: Send,
  record: (dueAtMicros: number) => void,
): void {
  const ask = (connection: number) => {
    const askedAtMicros = agenda.nowMicros
    send(connection, () => {
      record(askedAtMicros)
      ask(connection)
    })
  }
  for (let connection = 0; connection < connections; connection++) ask(connection)
}

/** A timer of Node.js waits for whole milliseconds, at least for one. */
export const TICK_MICROS = 1000

/**
 * When all connections are busy, a request waits for one. As in `generator/open-loop.ts`, a timer sends all requests that
 * are due, so most are sent late.
 */
function startOpenLoop(
  agenda: Agenda,
  load: Load & { kind: 'open' },
  connections: number,
  send: Send,
  record: (dueAtMicros: number) => void,
): void {
  const times = schedule(load)
  const free = Array.from({ length: connections }, (_, connection) => connections - 1 - connection)
  const waiting: number[] = []

  function begin(connection: number, dueAtMicros: number): void {
    send(connection, () => {
      record(dueAtMicros)
      const next = waiting.shift()
      if (next === undefined) free.push(connection)
      else begin(connection, next)
    })
  }

  let dueAtMicros = times.next().value * 1000
  function sendDue(): void {
    for (; dueAtMicros <= agenda.nowMicros; dueAtMicros = times.next().value * 1000) {
      const connection = free.pop()
      if (connection === undefined) waiting.push(dueAtMicros)
      else begin(connection, dueAtMicros)
    }
    const wholeTicks = Math.floor((dueAtMicros - agenda.nowMicros) / TICK_MICROS)
    agenda.after(Math.max(1, wholeTicks) * TICK_MICROS, sendDue)
  }

  sendDue()
}
