import { createServer } from 'node:http'
import { createElement } from 'react'
import Page from './page.fixture.mjs'

async function createAnswer() {
  if (process.env.POOL) {
    const { createRenderer } = await import('@main-thread/render')
    const renderer = await createRenderer({ app: new URL('page.fixture.mjs', import.meta.url) })
    return (request, response) => renderer.reply(request, response)
  }
  const { renderToPipeableStream } = await import('react-dom/server')
  return (_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    const { pipe } = renderToPipeableStream(createElement(Page), { onShellReady: () => pipe(response) })
  }
}

createServer(await createAnswer()).listen(process.env.PORT)
