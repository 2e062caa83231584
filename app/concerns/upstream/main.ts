import { answerOnMainThread } from '../../answers/answers.ts'
import { pageFetcher } from '../../pages/page-data.ts'
import type { CreateUpstream } from './contract.ts'

/** The main thread makes all calls, and passes the data on to the threads that need it. */
export const createUpstream: CreateUpstream = async options => ({
  answerOrders: answerOnMainThread(options),
  fetchPage: pageFetcher(options.client),
})
