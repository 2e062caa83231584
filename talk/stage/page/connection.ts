import type { StageCommand, StageMessage } from '../protocol.ts'

const RETRY_MS = 1000
const TOKEN = 'stage-token'

/**
 * Stays connected to the stage. After every connection the stage tells everything again.
 * @param onLost called when the connection is lost
 */
export function stayConnected(onMessage: (message: StageMessage) => void, onLost: () => void): void {
  const source = new EventSource('/events')
  source.addEventListener('message', ({ data }) => onMessage(JSON.parse(data)))
  source.addEventListener('error', () => {
    source.close()
    onLost()
    setTimeout(() => stayConnected(onMessage, onLost), RETRY_MS)
  })
}

/**
 * The token of this tab: it comes after the # of the URL and is removed from there. Without it, the page only watches. A page in
 * a frame of a file, as in the slides, may store nothing.
 */
export function takeToken(): string {
  const given = location.hash.slice(1)
  if (given) history.replaceState(null, '', location.pathname + location.search)
  try {
    if (given) sessionStorage.setItem(TOKEN, given)
    return sessionStorage.getItem(TOKEN) ?? ''
  } catch {
    return given
  }
}

/** Sends a command. @returns why it was refused; empty if it was not */
export async function sendCommand(token: string, command: StageCommand): Promise<string> {
  try {
    const answer = await fetch('/stage', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(command),
    })
    if (answer.ok) return ''
    return (await answer.json()).detail
  } catch {
    return 'the stage does not answer'
  }
}
