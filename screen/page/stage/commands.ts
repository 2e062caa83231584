import type { StageCommand } from '../../stage-messages.ts'

const TOKEN = 'stage-token'

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
