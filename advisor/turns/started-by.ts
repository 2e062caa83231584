import type { Profiler } from 'node:inspector'

type Frame = Profiler.ProfileNode['callFrame']

/**
 * What starts a turn, by the functions of Node.js with which its stack begins. The first rule that one of them meets counts, so the
 * more special ones come first: a promise that a timer has settled is a promise.
 */
const rules: readonly (readonly [of: RegExp, name: string])[] = [
  [/ node:_http_server$/, 'an HTTP request'],
  [/ node:_http_client$/, 'the answer to an HTTP call'],
  [/ node:internal\/http2/, 'an HTTP/2 stream'],
  [/ node:internal\/per_context\/messageport$/, 'a message of a thread'],
  [/ node:(internal\/)?child_process/, 'a child process'],
  [/ node:internal\/modules\//, 'the load of a module'],
  [/^onconnection node:net$/, 'a connection'],
  [/ node:internal\/stream_base_commons$/, 'data of a socket or pipe'],
  [/ node:internal\/streams\//, 'the end or rest of a stream'],
  [/^runMicrotasks $/, 'a promise'],
  [/^processTicksAndRejections /, 'process.nextTick'],
  [/^processImmediate /, 'setImmediate'],
  [/^(processTimers|listOnTimeout) /, 'a timer'],
  [/ node:(internal\/)?(fs|dns|crypto|zlib)\b/, 'work of the thread pool'],
]

/** Names what started a turn. @param stack of one of its samples, the outermost function first, without the root */
export function startedBy(stack: readonly Frame[]): string {
  const isOfNode = ({ url, functionName }: Frame) =>
    url.startsWith('node:') || (url === '' && functionName !== '')
  const others = stack.findIndex(frame => !isOfNode(frame))
  const beginning = (others < 0 ? stack : stack.slice(0, others)).map(
    ({ functionName, url }) => `${functionName} ${url}`,
  )
  const [, name] = rules.find(([of]) => beginning.some(each => of.test(each))) ?? []
  if (!name && beginning[0]?.startsWith('(garbage collector)')) return 'garbage collection'
  // V8 runs the reactions of promises by itself after native code that has called no function of Node.js.
  return name ?? (others === 0 ? 'a promise' : 'Node.js')
}
