import { settled } from './settled.ts'

/**
 * The data of a part that may come late, from the element with this id. When the reader changes the list before the part
 * has come, React renders the part in the browser and no longer takes it over from the server. Its data still arrives with
 * the rest of the document, and is read as soon as it is whole.
 * @throws Error when the document has ended without it, because the server failed
 */
export function arrivalOf<Data>(id: string): Promise<Data> {
  const data = readData<Data>(id)
  if (data !== undefined) return settled(data)
  if (document.readyState !== 'loading') throw missing(id)
  const { promise, resolve, reject } = Promise.withResolvers<Data>()
  const look = () => {
    const come = readData<Data>(id)
    if (come === undefined) return
    observer.disconnect()
    resolve(come)
  }
  const observer = new MutationObserver(look)
  observer.observe(document.documentElement, { childList: true, subtree: true, characterData: true })
  document.addEventListener('DOMContentLoaded', () => {
    look()
    observer.disconnect()
    reject(missing(id))
  })
  return promise
}

const missing = (id: string) => new Error(`the page has no #${id}`)

/** Undefined while the element is not there, or not yet whole. */
function readData<Data>(id: string): Data | undefined {
  const text = document.getElementById(id)?.textContent
  if (!text) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
