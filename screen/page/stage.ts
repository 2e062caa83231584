import type { StageCommand, StageMessage } from '../stage-messages.ts'
import { stayConnected } from './connection.ts'
import { find, oncePerFrame, setText } from './dom.ts'
import { createBreakages } from './stage/breakages.ts'
import { createControls, createPanels, sendCommand, takeToken } from './stage/controls.ts'
import { createCores } from './stage/cores.ts'
import { createFigures } from './stage/figures.ts'
import { createLadder, createStory } from './stage/ladder.ts'
import { Model } from './stage/model.ts'
import { createPrism } from './stage/prism.ts'
import { createThreads } from './stage/threads.ts'

/** The script of the layout for a room: it shows what the server tells, and sends commands. */

const model = new Model()
const token = takeToken()
let refusal = ''
let isConnected = false
const askForFrame = oncePerFrame(() => {
  for (const showPart of parts) showPart(model)
})

document.documentElement.dataset.role = token ? 'control' : 'watch'
const parts = [
  createLadder(send),
  createStory(),
  createFigures(),
  createThreads(),
  createPrism(),
  createControls(send, askForFrame),
  createBreakages(send),
  createCores(),
  createPanels(askForFrame),
  showTexts,
]

stayConnected<StageMessage>(
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

/** What the app does with a request that would wait too long. */
const overloads: Readonly<Record<string, string>> = {
  refuse: 'who would wait too long is refused',
  none: 'every request waits',
}

function showTexts(model: Model): void {
  const { setting, state, steps, noise } = model
  const next = steps.find(({ number }) => number === state?.next)
  const broken = state?.faults.filter(({ isOn }) => isOn).map(({ help }) => help) ?? []
  const trouble =
    (!isConnected ? 'No connection to the stage' : refusal || state?.failure) ||
    (broken.length > 0 ? `Broken on purpose: ${broken.join('; ')}` : '')
  const news = next ? `${next.name} is starting; the app before it still answers` : ''
  setText(find('#news'), trouble || news)
  find('#news').title = trouble
  // The step that starts says so itself, but not to screen readers.
  find('#news').classList.toggle('unseen', !trouble)
  setText(find('#load'), setting ? `${setting.load} ask for` : '')
  setText(find('#mode'), state ? `overload: ${state.overload}` : '')
  find('#mode').title = overloads[state?.overload ?? ''] ?? ''
  find('#mode').dataset.is = model.isOverloadChanged ? 'changed' : 'usual'
  setText(find('#failed'), describeFailures(model))
  find('#failed').dataset.is = countOf(model, 'failed', false) > 0 ? 'some' : 'none'
  setText(find('#health'), describeHealth(model))
  setText(find('#noise'), noise ? `Noise: ${noise}` : '')
  setText(
    find('#mark'),
    setting?.isReplay ? `Replay of ${setting.date.slice(0, 10)}, ${setting.machine}` : 'Live',
  )
  document.documentElement.dataset.load = setting?.rate ? 'rate' : 'closed'
  document.documentElement.dataset.source = setting?.isReplay ? 'replay' : 'live'
}

/** Requests that failed or were refused in the present mode, while something was broken, or while nothing was. */
const countOf = ({ allSeconds, state }: Model, what: 'failed' | 'refused', isBroken: boolean): number =>
  allSeconds
    .filter(second => second.isBroken === isBroken && second.overload === state?.overload)
    .reduce((sum, second) => sum + second[what], 0)

/** Kubernetes restarts a container after this number of failed health checks, unless it is told otherwise. */
const RESTART_AFTER = 3

/** The health checks that failed last, one after the other; empty if the last one did not. */
function describeHealth({ allSeconds }: Model): string {
  const failed = allSeconds.length - 1 - allSeconds.findLastIndex(({ healthMs }) => healthMs !== null)
  if (failed === 0) return ''
  const said = `${failed === 1 ? 'a health check' : `${failed} health checks`} failed`
  return failed < RESTART_AFTER ? said : `${said}: Kubernetes would restart the app`
}

/**
 * Such as `0 failed requests, 9 refused by overload protection, 120 failed while something was broken`. During an overload,
 * what the last second brought: `Last second: 450 good answers, 600 refused, 0 failed`.
 */
function describeFailures(model: Model): string {
  const last = model.allSeconds.at(-1)
  const isOverload = model.isOverloadChanged || (last?.refused ?? 0) > 0
  if (last && isOverload) {
    const perSecond = (count: number) => Math.round((count * 1000) / last.durationMs).toLocaleString('en')
    return `Last second: ${perSecond(last.good)} good answers, ${perSecond(last.refused)} refused, ${perSecond(last.failed)} failed`
  }
  const broken = countOf(model, 'failed', true) + countOf(model, 'refused', true)
  const refused = countOf(model, 'refused', false)
  return [
    `${countOf(model, 'failed', false).toLocaleString('en')} failed requests`,
    ...(refused > 0 ? [`${refused.toLocaleString('en')} refused by overload protection`] : []),
    ...(broken > 0 ? [`${broken.toLocaleString('en')} failed while something was broken`] : []),
  ].join(', ')
}
