import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'
import type { PipeableStream } from 'react-dom/server'
import type { AppModule, LoadedModule, LoadedPage, ReactServer, StreamOptions } from './app-module.ts'
import { outsideFor, presentOwner } from './attribute-work.ts'
import type { PageShell, ReactStatic } from './page-shell.ts'
import { isResponse } from './pass-response.ts'

/** Number of shells that a thread keeps. The oldest one goes first. */
const KEPT = 100
/** What still waits for data after this time is left out of a shell. */
const HOLES_AFTER_MS = 100
const SHELL = Symbol('shell')

interface MadeShell {
  readonly prelude: Uint8Array
  /** What React needs to go on, as JSON: it changes what it is given. Undefined if nothing was left out. */
  readonly postponed: string | undefined
}

type Options = NonNullable<Parameters<ReactServer['renderToPipeableStream']>[1]> & {
  readonly [SHELL]?: MadeShell
}

/** Lets the pages of a module share shells: React renders what is left out of these. @throws TypeError if it cannot do that */
export function withShells(
  module: LoadedModule & Pick<AppModule<object>, 'shell'>,
  url: string,
): LoadedModule {
  const { shell, load, react, options } = module
  if (!shell) return module
  const { prerenderToNodeStream, resumeToPipeableStream } = {
    ...loadStatic(url),
    ...(react as Partial<ReactStatic>),
  }
  if (!resumeToPipeableStream || !prerenderToNodeStream)
    throw new TypeError(`${url} exports \`shell\`, which needs React 19.2 or later`)
  const shells = new Map<string, Promise<MadeShell>>()

  const shellOf = ({ key, props }: PageShell<object>): Promise<MadeShell> => {
    const known = shells.get(key)
    if (known) return known
    const forget = () => void shells.delete(key)
    // A shell is for all users, so it sees the stores of none. It is work of the page that needs it first, and its fault.
    const made = outsideFor(presentOwner(), () => prerender(props, forget))
    shells.set(key, made)
    made.catch(forget)
    if (shells.size > KEPT) shells.delete(shells.keys().next().value as string)
    return made
  }

  const prerender = async (props: object, forget: () => void): Promise<MadeShell> => {
    const hole = new Error('left out of the shell')
    const aborter = new AbortController()
    const element = react.createElement(module.componentNamed(undefined) as never, props)
    const timer = setTimeout(() => aborter.abort(hole), HOLES_AFTER_MS)
    try {
      const { prelude, postponed } = await prerenderToNodeStream(element, {
        ...forShell(options),
        signal: aborter.signal,
        // What has failed once may work for the next page.
        onError: error => void (error === hole || forget()),
      })
      return { prelude: await buffer(prelude), postponed: postponed ? JSON.stringify(postponed) : undefined }
    } finally {
      clearTimeout(timer)
    }
  }

  const renderToPipeableStream = (
    element: Parameters<typeof react.renderToPipeableStream>[0],
    given: Options = {},
  ) => {
    const { [SHELL]: made, ...others } = given
    if (!made) return react.renderToPipeableStream(element, others)
    const { prelude, postponed } = made
    if (postponed === undefined) return whole(prelude, others)
    const rest = resumeToPipeableStream(element, JSON.parse(postponed), others)
    return {
      abort: rest.abort,
      pipe<Destination extends NodeJS.WritableStream>(destination: Destination): Destination {
        destination.write(prelude)
        return rest.pipe(destination)
      },
    }
  }

  return {
    ...module,
    react: { ...react, renderToPipeableStream },
    load(request, page: LoadedPage & { options: Options }) {
      const wanted = shell(request)
      const loading = load ? load(request, page) : request.props
      if (!wanted) return loading
      return Promise.all([loading, shellOf(wanted)]).then(([loaded, made]) => {
        if (!isResponse(loaded)) Object.assign(page.options, { [SHELL]: made })
        return loaded
      })
    },
  }
}

/** The options that a shell may have: it is made for no request. */
function forShell({ transform, nonce, onHeaders, onError, formState, ...others }: StreamOptions = {}) {
  return others
}

/** A page of which nothing was left out. */
function whole(html: Uint8Array, { onShellReady, onAllReady }: Options): PipeableStream {
  setImmediate(() => {
    onShellReady?.()
    onAllReady?.()
  })
  return {
    abort() {},
    pipe(destination) {
      destination.write(html)
      destination.end()
      return destination
    },
  }
}

function loadStatic(url: string): Partial<ReactStatic> {
  try {
    return createRequire(url)('react-dom/static')
  } catch {
    // A bundle gives its own as `react`.
    return {}
  }
}
