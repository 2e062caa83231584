import type { AppDescription } from '../apm-agent/live/pulse-protocol.ts'
import type { LiveMessage, Update } from '../apm-agent/live/update.ts'

interface Seen {
  readonly note: string
  readonly app: AppDescription | undefined
  readonly update: Update
}

/** Waits for the first update of a live page that `isWanted` accepts. The apm-agent may still be starting. */
export async function firstUpdate(url: string, isWanted: (update: Update) => boolean): Promise<Seen> {
  const response = await connect(url)
  let [note, app, text] = ['', undefined as AppDescription | undefined, '']
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    text += Buffer.from(chunk).toString()
    const events = text.split('\n\n')
    text = events.pop() as string
    for (const event of events) {
      const message: LiveMessage = JSON.parse(event.replace('data: ', ''))
      if (message.kind === 'history') note = message.note
      app =
        (message.kind === 'history' ? message.apps.at(-1) : message.kind === 'update' && message.app) || app
      const updates =
        message.kind === 'history' ? message.updates : message.kind === 'update' ? [message.update] : []
      const update = updates.find(isWanted)
      if (update) return { note, app, update }
    }
  }
  throw new Error(`${url} ended without such an update`)
}

async function connect(url: string): Promise<Response> {
  for (;;) {
    try {
      return await fetch(`${url}live/events`)
    } catch {
      // The apm-agent does not listen yet.
    }
  }
}
