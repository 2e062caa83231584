import { type Browser, chromium } from 'playwright-core'
import { readPage } from '../apm-agent/live/page-files.ts'
import { closeServer } from '../lib/close-server.ts'
import { runCommand } from '../lib/command.ts'
import { browserFlags, browserPath } from '../lib/find-browser.ts'
import { listen } from '../lib/listen.ts'
import { text } from '../lib/options.ts'
import { saveFile } from '../lib/save-file.ts'
import { UserError } from '../lib/user-error.ts'
import { Board } from './board.ts'
import { DIST } from './page-places.ts'
import { readRecording } from './recording.ts'
import { createStageServer } from './server.ts'

const VIEWPORT = { width: 1280, height: 720 }
/** Size of the picture, in shares of the viewport. */
const SCALE = 0.625
const QUALITY = 60
/** Each step is shown for this time. */
const FRAME_SECONDS = 2.5

await runCommand({
  usage: 'npm run stage:picture -- [options]',
  description:
    'Makes an animated picture of a recorded tour: the end of each step, one after the other. It needs chromium.',
  options: {
    replay: text({
      placeholder: 'FILE',
      default: 'docs/results/tour.ndjson',
      help: 'recording of npm run stage',
    }),
    out: text({ placeholder: 'FILE', default: 'docs/stage.svg', help: 'the picture' }),
  },
  async run({ replay, out }) {
    const recording = readRecording(replay)
    if (!browserPath) throw new UserError('there is no chromium on PATH')
    const browser = await chromium.launch({ executablePath: browserPath, args: browserFlags })
    try {
      saveFile(out, animate(await takeFrames(browser, recording)))
    } finally {
      await browser.close()
    }
    process.stderr.write(`${out}\n`)
  },
})

/** Takes a picture of the stage at the end of each step. */
async function takeFrames(
  browser: Browser,
  { setting, lines }: ReturnType<typeof readRecording>,
): Promise<string[]> {
  const board = new Board()
  const obey = async () => {}
  const server = createStageServer({ board, page: readPage(DIST, 'the stage view'), token: '', obey })
  const url = await listen(server, '127.0.0.1', 0)
  const context = await browser.newContext({
    ...{ viewport: VIEWPORT, deviceScaleFactor: SCALE, colorScheme: 'dark', reducedMotion: 'reduce' },
  })
  const page = await context.newPage()
  const frames: string[] = []
  board.tell({ kind: 'setting', setting })
  for (const [index, { message }] of lines.entries()) {
    board.tell(message)
    const next = lines[index + 1]?.message
    const isEnd = next === undefined || (next.kind === 'state' && next.state.next !== null)
    if (!isEnd || board.seconds.length === 0) continue
    await page.goto(url)
    await page.locator('.bands text.value').first().waitFor()
    frames.push((await page.screenshot({ type: 'jpeg', quality: QUALITY })).toString('base64'))
  }
  board.close()
  await closeServer(server)
  return frames
}

/** An SVG that shows the frames in turn, and only the last one to a reader who prefers less motion. */
function animate(frames: readonly string[]): string {
  const [width, height] = [VIEWPORT.width * SCALE, VIEWPORT.height * SCALE]
  const seconds = frames.length * FRAME_SECONDS
  const share = (100 / frames.length).toFixed(3)
  const images = frames.map(
    (frame, index) =>
      `<image width="${width}" height="${height}" style="animation-delay:${index * FRAME_SECONDS - seconds}s" href="data:image/jpeg;base64,${frame}"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>npm run stage: what a request costs the main thread, step by step</title>
<style>image{opacity:0;animation:show ${seconds}s step-end infinite}image:last-of-type{opacity:1}
@keyframes show{0%{opacity:1}${share}%{opacity:0}100%{opacity:0}}
@media(prefers-reduced-motion:reduce){image{animation:none}}</style>
${images.join('\n')}
</svg>
`
}
