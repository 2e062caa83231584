import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { UserError } from '../../../lib/cli/user-error.ts'
import { closeServer, listen } from '../../../lib/http/listen.ts'
import { browserFlags, browserPath } from '../../../lib/os/find-browser.ts'
import { Board } from '../board.ts'
import { type Recorded, readRecording } from '../recording.ts'
import { createStageServer, readStagePage } from '../server.ts'

const VIEWPORT = { width: 1280, height: 720 }
/** Width and height of the picture, as a share of the viewport's. */
const SCALE = 0.625
const QUALITY = 50
/** Each step is shown for this time. */
const FRAME_SECONDS = 2.5

/**
 * Draws a recorded tour as an animated SVG: the stage at the end of each step, one after the other.
 * @throws UserError when the file is no recording, or there is no chromium
 */
export async function drawTour(file: string): Promise<string> {
  const recording = readRecording(file)
  if (!browserPath) throw new UserError('there is no chromium on PATH')
  const browser = await chromium.launch({ executablePath: browserPath, args: browserFlags })
  try {
    return animate(await takeFrames(browser, recording))
  } finally {
    await browser.close()
  }
}

/** Takes a picture of the stage at the end of each step. @returns WebP files in base64 */
async function takeFrames(browser: Browser, { setting, lines }: Recorded): Promise<string[]> {
  const board = new Board()
  const obey = async () => {}
  const server = createStageServer({ board, page: readStagePage(), token: '', obey })
  const url = await listen(server, '127.0.0.1', 0)
  const context = await browser.newContext({
    viewport: VIEWPORT,
    colorScheme: 'dark',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const frames: string[] = []
  board.tell({ kind: 'setting', setting })
  let first: string | undefined
  for (const [index, { message }] of lines.entries()) {
    // The picture compares the steps, which a tour shows with its first scenario.
    if (message.kind === 'state') first ??= message.state.scenario
    if (message.kind === 'state' && message.state.scenario !== first) break
    board.tell(message)
    const next = lines[index + 1]?.message
    const isEnd =
      next === undefined ||
      (next.kind === 'state' && (next.state.next !== null || next.state.scenario !== first))
    if (!isEnd || board.seconds.length === 0) continue
    await page.goto(url)
    await page.locator('.bands text.value').first().waitFor()
    frames.push(await takePicture(context, page))
  }
  board.close()
  await closeServer(server)
  return frames
}

/** Takes a picture as WebP, which Playwright has no option for. It is smaller than JPEG. */
async function takePicture(context: BrowserContext, page: Page): Promise<string> {
  const session = await context.newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
    clip: { x: 0, y: 0, ...VIEWPORT, scale: SCALE },
  })
  return data
}

/** An SVG that shows the frames in turn, and only the last one to a reader who prefers less motion. */
function animate(frames: readonly string[]): string {
  const [width, height] = [VIEWPORT.width * SCALE, VIEWPORT.height * SCALE]
  const seconds = frames.length * FRAME_SECONDS
  const share = (100 / frames.length).toFixed(3)
  const images = frames.map(
    (frame, index) =>
      `<image width="${width}" height="${height}" style="animation-delay:${index * FRAME_SECONDS - seconds}s" href="data:image/webp;base64,${frame}"/>`,
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
