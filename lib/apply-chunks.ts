/** The script with which React begins to measure the time until late parts arrive. */
const clock = 'requestAnimationFrame(function(){$RT=performance.now()});'
const PLACE_END = '<!--/$-->'

/**
 * Does to a streamed page what its scripts do in a browser: moves the parts that arrived late to their places.
 * @returns the page as if no part had been late. Scripts that React writes for other purposes stay in it.
 */
export function applyChunks(html: string, nonce: string): string {
  const start = `<script nonce="${nonce}">`
  let page = html.replace(`${start}${clock}</script>`, '')
  for (;;) {
    const at = page.indexOf('<div hidden id="S:')
    if (at < 0) return page
    const id = page.slice(at + 18, page.indexOf('"', at + 18))
    const contentAt = page.indexOf('>', at) + 1
    const contentEnd = page.indexOf(`</div>${start}`, contentAt)
    const move = `$RC("B:${id}","S:${id}")</script>`
    const moveAt = page.indexOf(move, contentEnd)
    const placeAt = page.indexOf(`<!--$?--><template id="B:${id}"></template>`)
    const placeEnd = page.indexOf(PLACE_END, placeAt)
    if (contentEnd < 0 || moveAt < 0 || placeAt < 0 || placeEnd < 0) return page
    const before = page.slice(0, placeAt)
    const between = page.slice(placeEnd, at)
    const after = page.slice(moveAt + move.length)
    page = `${before}<!--$-->${page.slice(contentAt, contentEnd)}${between}${after}`
  }
}
