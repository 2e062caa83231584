import { median } from '../../../../loadtest/statistics/median.ts'
import { find, setText } from '../../page/dom.ts'
import type { Greeting, Now } from '../protocol.ts'

/** The script of the audience's page: it shows the present step, and asks the app when its reader wants. */

const NOW_MS = 2000

interface Answers {
  readonly waitedMs: number[]
  readonly appMs: number[]
}

const answers = new Map<number, Answers>()
const names = new Map<number, string>()
const button = find<HTMLButtonElement>('#ask')

button.addEventListener('click', async () => {
  button.disabled = true
  find('#answer').textContent = await ask()
  button.disabled = false
  button.focus()
  showAnswers()
})
void showNow()
setInterval(() => void showNow(), NOW_MS)

async function ask(): Promise<string> {
  try {
    const askedAtMs = performance.now()
    const response = await fetch('/hello')
    const body = await response.json()
    const waitedMs = performance.now() - askedAtMs
    if (!response.ok) return body.detail
    const { step, appMs } = body as Greeting
    const own = answers.get(step) ?? { waitedMs: [], appMs: [] }
    answers.set(step, own)
    own.waitedMs.push(waitedMs)
    own.appMs.push(appMs)
    return `${format(waitedMs)}, of which the app took ${format(appMs)}`
  } catch {
    return 'No connection to the stage'
  }
}

async function showNow(): Promise<void> {
  if (!document.hidden) setText(find('#now'), await describeNow())
}

async function describeNow(): Promise<string> {
  try {
    const { step, name, costMicros }: Now = await (await fetch('/now')).json()
    names.set(step, name)
    const cost =
      costMicros === null ? '' : `: a request costs ${Math.round(costMicros).toLocaleString('en')} µs`
    return `Step ${step}, ${name}${cost}`
  } catch {
    return 'No connection to the stage'
  }
}

function showAnswers(): void {
  const rows = [...answers]
    .toSorted(([one], [other]) => one - other)
    .map(([step, { waitedMs, appMs }]) => {
      const row = document.createElement('tr')
      const texts = [
        `${step} ${names.get(step) ?? ''}`,
        String(waitedMs.length),
        formatMedian(waitedMs),
        formatMedian(appMs),
      ]
      for (const text of texts) row.insertCell().textContent = text
      return row
    })
  find('tbody').replaceChildren(...rows)
  find('table').hidden = rows.length === 0
}

const formatMedian = (values: readonly number[]): string => format(median(values) as number)
const format = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
