import { fileURLToPath } from 'node:url'

/**
 * Puts the file before the message of an error of syntax in the module that was imported, and says of JSX what has to be done.
 *
 * Node.js does not say in which file of ES modules an error of syntax is, except on stderr. V8 tells it to a debugger when
 * the module is imported once more.
 */
export async function nameFile(error: unknown, url: string): Promise<void> {
  if (!(error instanceof Error)) return
  const { message } = error
  const file = error instanceof SyntaxError ? await findBrokenFile(url) : undefined
  const place = file && !message.includes(file) ? `${file}: ` : ''
  const told = `${place}${message}${isJsx(error) ? NOT_BUILT : ''}`
  if (told === message) return
  error.message = told
  error.stack = error.stack?.replace(message, () => told)
}

const NOT_BUILT = ': threads load what Node.js can load, so JSX has to be built before'

const isJsx = ({ message, code }: NodeJS.ErrnoException): boolean =>
  code === 'ERR_UNKNOWN_FILE_EXTENSION'
    ? /\.[jt]sx"/.test(message)
    : message.startsWith("Unexpected token '<'")

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
  // What `eval`, `JSON.parse` and the like could not parse is in no file.
  const file = broken.find(each => each.startsWith('file:'))
  return file && fileURLToPath(file)
}
