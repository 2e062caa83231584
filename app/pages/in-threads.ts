import { pageCalls, type ThreadCall, type ThreadCalls } from '../../lib/telemetry/thread-calls.ts'
import { toProblem } from '../problems.ts'
import { type PageNote, problemOfNote } from './page-notes.ts'
import { type PageRequest, type PageSource, pageCallNames } from './sources.ts'

/** Lets render threads fetch the data of pages. */
export const fetchInThreads = (calls: ThreadCalls): PageSource<object> => ({
  module: new URL('./in-thread.ts', import.meta.url),
  open(request) {
    const { context, onMissing } = request
    const orders = calls.begin('orders', context.span)
    const open = pageCalls(pageCallNames, { orders, recommendations: beginOptional(request, calls) })
    return {
      props: { calls: open.sent },
      onNote: note => void (open.takeNote(note) || onMissing(...problemOfNote(note as PageNote))),
      onOver: () => open.endAll(context.gone ? 'CLIENT_GONE' : 'UPSTREAM_TIMEOUT'),
    }
  },
})

/** @returns undefined if the page has to do without, because no calls are made at the moment */
function beginOptional({ context, onMissing }: PageRequest, calls: ThreadCalls): ThreadCall | undefined {
  try {
    return calls.begin('recommendations', context.span)
  } catch (error) {
    onMissing('recommendations', toProblem(error))
    return undefined
  }
}
