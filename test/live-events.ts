import type { AppDescription, LiveMessage, Update } from '../screen/live-messages.ts'

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
      const message: LiveMessage = JSON.parse(event.replace(/^(id: \d+\n)?data: /, ''))
      if (message.kind === 'run') note = message.note
      if (message.kind === 'app') app = message.app
      if (message.kind === 'update' && isWanted(message.update)) return { note, app, update: message.update }
    }
  }
  throw new Error(`${url} ended without such an update`)
}

async function connect(url: string): Promise<Response> {
  for (;;) {
    try {
      return await fetch(`${url}events`)
    } catch {
      // The apm-agent does not listen yet.
    }
  }
}
