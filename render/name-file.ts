import { fileURLToPath } from 'node:url'

/**
 * Node.js does not say in which file of ES modules an error of syntax is, except on stderr. V8 tells it to a debugger when
 * the module is imported once more.
 * @param url the module whose import failed
 * @returns the error, whose message begins with the file if it is one of syntax
 */
export async function nameFile(error: unknown, url: string): Promise<unknown> {
  if (!(error instanceof SyntaxError)) return error
  const file = await findBrokenFile(url)
  if (!file || error.message.includes(file)) return error
  const { message, stack } = error
  error.message = `${file}: ${message}`
  error.stack = stack?.replace(message, () => error.message)
  return error
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
