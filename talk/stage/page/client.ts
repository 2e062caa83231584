import type { StageCommand } from '../protocol.ts'
import { createAudience } from './audience.ts'
import { sendCommand, stayConnected, takeToken } from './connection.ts'
import { createControls } from './controls.ts'
import { find, setText } from './dom.ts'
import { createFigures } from './figures.ts'
import { createLadder } from './ladder.ts'
import { Model } from './model.ts'
import { createPrism } from './prism.ts'
import { createThreads } from './threads.ts'

/** The script of the stage view: it shows what the server tells, and sends commands. */

const model = new Model()
const token = takeToken()
let refusal = ''
let isConnected = false
let isAsked = false

document.documentElement.dataset.role = token ? 'control' : 'watch'
const parts = [
  createLadder(send),
  createFigures(),
  createThreads(),
  createPrism(),
  createControls(send, askForFrame),
  createAudience(),
  showTexts,
]

stayConnected(
  message => {
    isConnected = true
    model.take(message)
    askForFrame()
  },
  () => {
    isConnected = false
    askForFrame()
  },
)
const resizes = new ResizeObserver(askForFrame)
for (const drawing of document.querySelectorAll('main svg')) resizes.observe(drawing)

async function send(command: StageCommand): Promise<void> {
  if (!token) return
  refusal = await sendCommand(token, command)
  askForFrame()
}

function askForFrame(): void {
  if (isAsked) return
  isAsked = true
  requestAnimationFrame(show)
}

/** Runs once a frame, however many messages have come. */
function show(): void {
  isAsked = false
  for (const showPart of parts) showPart(model)
}

function showTexts({ setting, state, seconds, steps }: Model): void {
  const next = steps.find(({ number }) => number === state?.next)
  const news = !isConnected
    ? 'No connection to the stage'
    : refusal || state?.failure || (next ? `${next.name} is starting; the app before it still answers` : '')
  setText(find('#news'), news)
  find('#news').dataset.is = isConnected && next && !refusal && !state?.failure ? 'flip' : 'trouble'
  setText(find('#load'), setting?.load ?? '')
  const failed = seconds.at(-1)?.failed ?? 0
  setText(find('#failed'), `${failed.toLocaleString('en')} failed requests`)
  find('#failed').dataset.is = failed > 0 ? 'some' : 'none'
  setText(
    find('#mark'),
    setting?.isReplay ? `Replay of ${setting.date.slice(0, 10)}, ${setting.machine}` : 'Live',
  )
  document.documentElement.dataset.load = setting?.rate ? 'rate' : 'closed'
  document.documentElement.dataset.source = setting?.isReplay ? 'replay' : 'live'
}
