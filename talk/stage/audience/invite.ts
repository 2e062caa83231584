import { networkInterfaces } from 'node:os'
import encodeQR from 'qr'
import { readPage } from '../../../apm-agent/live/page-files.ts'
import { UserError } from '../../../lib/cli/user-error.ts'
import { closeServer } from '../../../lib/http/close-server.ts'
import { listen } from '../../../lib/http/listen.ts'
import { askApp } from '../ask-app.ts'
import type { Board } from '../board.ts'
import { AUDIENCE } from '../page-places.ts'
import type { Now } from './protocol.ts'
import { createAudienceServer } from './server.ts'

/** Light modules that a QR code must have around it. */
const QUIET_MODULES = 4

/** The app has this time for an answer. */
const ANSWER_LIMIT_MS = 5000

interface Invitation {
  /** The address of this machine on the network of the audience; the first one if it is undefined. */
  readonly host: string | undefined
  readonly port: number
  /** The base URL of the app. */
  readonly app: string
}

/**
 * Opens the page of the audience on the local network, and shows its address on the stage as a QR code.
 * @returns the URL, and a function that closes the page
 * @throws UserError when this machine has no network, or the port is taken
 */
export async function inviteAudience({ host = findAddress(), port, app }: Invitation, board: Board) {
  const server = createAudienceServer({
    page: readPage(AUDIENCE.dist, 'the page of the audience'),
    now: () => describeNow(board),
    ask: () => askApp(`${app}/hello`, ANSWER_LIMIT_MS),
  })
  const url = `${await listen(server, host, port, { flag: '--audience-port' })}/`
  board.tell({ kind: 'audience', url, code: encodeQR(url, 'raw', { border: QUIET_MODULES, ecc: 'medium' }) })
  return { url, close: () => closeServer(server) }
}

/** The first address of this machine that other machines can reach. */
function findAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap(each => each ?? [])
  const found = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)
  if (!found) throw new UserError('this machine is in no network; name its address with --audience-host')
  return found.address
}

function describeNow(board: Board): Now {
  const step = board.last('state')?.state.step ?? 0
  const found = board.last('setting')?.setting.steps.find(({ number }) => number === step)
  const second = board.seconds.at(-1)
  const isKnown = second?.step === step && second.cpuMicros !== null && second.good > 0
  return { step, name: found?.name ?? '', costMicros: isKnown ? second.cpuMicros / second.good : null }
}
