import { fileURLToPath } from 'node:url'

/**
 * Puts the file before the message of an error of syntax.
 *
 * Node.js does not say in which file of ES modules an error of syntax is, except on stderr. V8 tells it to a debugger when
 * the module is imported once more.
 * @param url the module whose import failed
 */
export async function nameFile(error: unknown, url: string): Promise<void> {
  if (!(error instanceof SyntaxError)) return
  const file = await findBrokenFile(url)
  if (!file || error.message.includes(file)) return
  const { message, stack } = error
  error.message = `${file}: ${message}`
  error.stack = stack?.replace(message, () => error.message)
}

async function findBrokenFile(url: string): Promise<string | undefined> {
  const { Session } = await import('node:inspector')
  const session = new Session()
  const broken: string[] = []
  session.connect()
  session.on('Debugger.scriptFailedToParse', ({ params }) => broken.push(params.url))
  session.post('Debugger.enable')
  const again = new URL(url)
  again.searchParams.set('again', '')
  await import(again.href).catch(() => {})
  session.disconnect()
  const [first] = broken.map(each => new URL(each))
  return first?.protocol === 'file:' ? fileURLToPath(first) : first?.href
}
