import { type Frame, ProtocolError } from '../frames.ts'
import { readJson } from '../payloads.ts'
import { isPulse, type Pulse } from './pulse-protocol.ts'

/** @throws ProtocolError */
export function readPulse(frame: Frame): Pulse {
  const given = readJson(frame)
  if (!isPulse(given)) throw new ProtocolError('content', 'the payload is no pulse')
  return given
}
