import { randomUUID } from 'node:crypto'
import { BroadcastChannel } from 'node:worker_threads'

/** Hears what the threads of this process tell on a new channel. It keeps no thread alive. */
export function hearNews<News>(onNews: (news: News) => void) {
  const channel = `news ${randomUUID()}`
  const heard = open(channel)
  heard.onmessage = ({ data }) => onNews(data as News)
  return { channel, close: () => heard.close() }
}

/** Makes a function that sends news to the thread that opened this channel with {@link hearNews}. */
export function newsTeller<News>(channel: string): (news: News) => void {
  const told = open(channel)
  return news => told.postMessage(news)
}

function open(channel: string): BroadcastChannel {
  const opened = new BroadcastChannel(channel)
  opened.unref()
  return opened
}
