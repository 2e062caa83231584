/** Messages that a thread of a pool may have at the same time: two keep it busy while a reply travels. */
export const MESSAGES_PER_THREAD = 2

/**
 * Up to this number of waiting jobs travel in one message, because for each message the main thread has to wake a
 * thread.
 */
export const JOBS_PER_MESSAGE = 32
