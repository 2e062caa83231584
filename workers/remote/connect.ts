import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  type Msg,
  type NatsConnection,
  nkeyAuthenticator,
} from '@nats-io/transport-node'
import type { Check } from '../../lib/check.ts'
import { createComplaint } from '../../lib/cli/terminal.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { stackOf } from '../../lib/threads/thrown.ts'
import { decode } from './protocol.ts'

/** The interval of pings. A connection is lost if the answers to two of them are missing. */
const PING_MS = 1000
/** The interval of attempts to connect again. */
const RECONNECT_MS = 100
const CONNECT_LIMIT_MS = 5000
const DRAIN_LIMIT_MS = 1000

/** The server that is used unless an option or `NATS_URL` names another. */
const DEFAULT_URL = 'nats://127.0.0.1:4222'

/**
 * Connects to NATS, at one URL or several with commas in between, and again whenever the connection is lost. Credentials and TLS
 * come from the environment variables of the command `nats`, or from the URL.
 * @throws UserError when no server answers, or it refuses the credentials
 */
export async function connectNats(
  urls: string | undefined,
  name: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<NatsConnection> {
  const given = (urls ?? env.NATS_URL ?? DEFAULT_URL).split(',').map(each => new URL(each))
  const servers = given.map(({ protocol, host }) => `${protocol}//${host}`)
  try {
    return await connect({
      name,
      servers,
      ...credentialsFrom(given[0] as URL, env),
      ...tlsFrom(servers, env),
      timeout: CONNECT_LIMIT_MS,
      pingInterval: PING_MS,
      maxPingOut: 2,
      reconnectTimeWait: RECONNECT_MS,
      reconnectJitter: RECONNECT_MS,
      maxReconnectAttempts: -1,
      ignoreAuthErrorAbort: true,
    })
  } catch (error) {
    const { message } = error as Error
    throw new UserError(
      `cannot use NATS at ${servers.join(', ')} (${message}); name another server with --nats, or start one as \`nats-server -js\``,
    )
  }
}

/** Publishes a message, unless the connection is closed or about to be: that would throw. */
export function publish(connection: NatsConnection, ...message: Parameters<NatsConnection['publish']>): void {
  if (!connection.isClosed() && !connection.isDraining()) connection.publish(...message)
}

/** Handles the messages of a subject. One that is malformed is reported in a note, and no error ends this process. */
export function listenTo<Message>(
  connection: NatsConnection,
  subject: string,
  isMessage: Check<Message>,
  note: (line: string) => void,
  handle: (message: Message) => void,
): void {
  const malformed = createComplaint(note)
  const failed = createComplaint(note)
  const attempt = (run: () => void) => {
    try {
      run()
    } catch (thrown) {
      failed(`NATS: a message of ${subject} could not be handled: ${stackOf(thrown)}`)
    }
  }
  connection.subscribe(subject, {
    callback(error, message) {
      if (error) return note(`NATS: ${subject}: ${error.message}`)
      const received = read(message, isMessage)
      if (received === undefined) malformed(`NATS: a message of ${subject} is malformed`)
      else attempt(() => handle(received))
    },
  })
}

/** The content of a message; undefined if it is malformed. */
export function read<Message>({ data }: Msg, isMessage: Check<Message>): Message | undefined {
  try {
    const received = decode<unknown>(data)
    return isMessage(received) ? received : undefined
  } catch {
    return undefined
  }
}

/** Sends what is on its way, and disconnects; at once if the connection is lost. */
export async function disconnect(connection: NatsConnection): Promise<void> {
  await Promise.race([connection.drain().catch(() => {}), delay(DRAIN_LIMIT_MS, undefined, { ref: false })])
  await connection.close()
}

function credentialsFrom({ username, password }: URL, env: NodeJS.ProcessEnv) {
  const authenticator =
    readKey(env.NATS_CREDS, credsAuthenticator) ?? readKey(env.NATS_NKEY, nkeyAuthenticator)
  if (authenticator) return { authenticator }
  const [user, pass] = [
    decodeURIComponent(username) || env.NATS_USER,
    decodeURIComponent(password) || env.NATS_PASSWORD,
  ]
  if (user && pass === undefined) return { token: user }
  return user ? { user, pass } : env.NATS_TOKEN ? { token: env.NATS_TOKEN } : {}
}

const readKey = (file: string | undefined, make: (key: Uint8Array) => Authenticator) =>
  file ? make(readFileSync(file)) : undefined

function tlsFrom(servers: readonly string[], { NATS_CA, NATS_CERT, NATS_KEY }: NodeJS.ProcessEnv) {
  const isNeeded = servers.some(url => url.startsWith('tls:')) || NATS_CA || NATS_CERT
  return isNeeded ? { tls: { caFile: NATS_CA, certFile: NATS_CERT, keyFile: NATS_KEY } } : {}
}
