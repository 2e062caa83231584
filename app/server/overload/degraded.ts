import type { IncomingHttpHeaders } from 'node:http'
import { queryParser } from '../../../lib/http/query.ts'
import { seedParameter } from '../../../lib/random.ts'
import { type AnswersOptions, answerOnMainThread } from '../../answers/answers.ts'
import { demoQuery } from '../../answers/order-answers.ts'
import type { Handle, Route } from '../../route.ts'
import type { Need } from './admission.ts'

/** Tells clients what an answer is without. It is the name of the need that was congested. */
export const degradedHeaders = { 'x-degraded': 'compute' } as const

/** A route that can answer without CPU tasks a request that would have to wait too long for them. */
export interface DegradableRoute extends Route {
  readonly handleDegraded?: Handle
}

/** The headers of the requests that are answered without their CPU tasks. */
const degraded = new WeakSet<IncomingHttpHeaders>()

export const isDegraded = (headers: IncomingHttpHeaders): boolean => degraded.has(headers)

/** Lets a request be answered without its CPU tasks. @returns its other needs; undefined if its route is nothing without tasks */
export function degrade(
  { needs = [], handleDegraded }: DegradableRoute,
  headers: IncomingHttpHeaders,
): readonly Need[] | undefined {
  if (!handleDegraded) return undefined
  degraded.add(headers)
  return needs.filter(need => need !== 'compute')
}

/** The route as it answers, with its tasks or without. */
export function degradable<Degradable extends DegradableRoute>(route: Degradable): Degradable {
  const { handle, handleDegraded } = route
  if (!handleDegraded) return route
  const choose: Handle = (query, context, headers) =>
    (degraded.has(headers) ? handleDegraded : handle)(query, context, headers)
  return { ...route, handle: choose }
}

/** The routes, of which `/demo` can answer without its tasks. */
export function degradableRoutes<Any extends Route>(
  routes: readonly Any[],
  options: Omit<AnswersOptions, 'compute'>,
): Any[] {
  const parse = queryParser({ seed: seedParameter })
  const answer = answerOnMainThread({ ...options, compute: { run: async () => [] } })
  const handleDegraded: Handle = async (raw, context, { accept }) => {
    const { seed } = parse(raw)
    const made = await answer({ name: 'DemoAnswer', query: demoQuery(seed), accept }, context)
    return { ...made, headers: degradedHeaders }
  }
  return routes.map(route => (route.path === '/demo' ? degradable({ ...route, handleDegraded }) : route))
}
