import { type ExpectedRequest, expectRequest, isRightBody } from '../generator/expected-requests.ts'
import { type ScenarioName, scenarioNames, scenarios } from '../generator/scenarios.ts'

/** Every seed is suitable; this one differs from the default. */
const SEED = 7

/**
 * A route counts as wrong after this many wrong answers. An app that gets no core may refuse some requests, and leave out
 * late parts of a page.
 */
const ATTEMPTS = 10

/**
 * Requests the routes of these scenarios, by default of all, and compares each body with the expected one.
 * @throws Error when a route never answers as expected
 */
export async function checkBodies(
  url: string,
  names: readonly ScenarioName[] = scenarioNames,
): Promise<void> {
  for (const name of names) {
    await checkBody(url, expectRequest(scenarios[name], SEED))
  }
}

async function checkBody(origin: string, expected: ExpectedRequest): Promise<void> {
  const url = origin + expected.path
  let answer = ''
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const response = await fetch(url, { headers: { accept: 'application/json' } })
    const received = await response.text()
    if (response.status === 200 && isRightBody(expected, received)) return
    answer = `${response.status} ${received.slice(0, 200)}`
  }
  throw new Error(
    `${url} answered ${ATTEMPTS} times otherwise, last with ${answer}, expected ${expected.body.slice(0, 200)}`,
  )
}
