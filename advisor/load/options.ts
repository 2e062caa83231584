import { integer, text, toggle, type Values } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { readGiven } from '../given-file.ts'
import { type Request, readFile, requestTo } from './requests.ts'

const METHOD = /^[A-Z][A-Z-]*$/
const HEADER = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*)$/

/** The options that say what is sent. */
export const requestOptions = {
  connections: integer({ help: 'connections of the load', default: '10', min: 1, max: 10_000 }),
  method: {
    help: 'method of the request; by default GET, and POST with a body',
    placeholder: 'METHOD',
    expected: 'a method such as POST',
    parse: (given: string) => (METHOD.test(given) ? given : undefined),
  },
  header: {
    help: 'header of the request; may be given several times',
    placeholder: "'NAME: VALUE'",
    isRepeated: true,
    expected: "a header such as 'authorization: Bearer …'",
    parse(given: string) {
      const matches = given.split('\n').map(line => HEADER.exec(line))
      if (matches.includes(null)) return undefined
      return Object.fromEntries(matches.map(match => [match?.[1]?.toLowerCase() ?? '', match?.[2] ?? '']))
    },
  },
  body: text({ help: 'body of the request', placeholder: 'TEXT' }),
  bodyFile: text({ help: 'file with the body of the request', placeholder: 'FILE' }),
  requests: text({
    help: 'file with several requests, in lines such as "3 POST /orders {}" (weight, method, path, body), of which the path alone is needed',
    placeholder: 'FILE',
  }),
  acceptErrors: toggle({ help: 'measure even if many requests fail' }),
}

/** The options that say how a service is loaded. */
export const loadOptions = {
  ...requestOptions,
  loadWith: text({
    help: "load it with a command of yours, such as 'npx autocannon …' for WebSocket or HTTP/2; it is repeated until the end",
    placeholder: 'COMMAND',
  }),
}

/** The values of these options that say what to send. */
export type Asked = Pick<
  Values<typeof requestOptions>,
  'method' | 'header' | 'body' | 'bodyFile' | 'requests'
>

/**
 * The requests of a load: those of a file, or one to the path. Headers apply to each of them.
 * @throws UserError when a file cannot be read, or the options contradict each other
 */
export function requestsOf({ method, header, body, bodyFile, requests }: Asked, path: string): Request[] {
  if (body !== undefined && bodyFile !== undefined) throw new UserError('give --body or --body-file')
  const sent = bodyFile === undefined ? body : readGiven('--body-file', bodyFile)
  if (requests === undefined) return [requestTo(path, { method, headers: header, body: sent })]
  if (sent || method) throw new UserError('--requests takes methods and bodies from its file')
  return readFile(requests, header)
}
