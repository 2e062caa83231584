import util from 'node:util'

/** Node.js encodes longer texts faster. */
const SHORT = 48

/** Encodes short texts of ASCII without a call of Node.js, which costs more than their few bytes. */
class QuickEncoder extends TextEncoder {
  override encodeInto(text: string, target: Uint8Array): ReturnType<TextEncoder['encodeInto']> {
    const { length } = text
    if (length > SHORT || length > target.length) return super.encodeInto(text, target)
    for (let at = 0; at < length; at++) {
      const code = text.charCodeAt(at)
      if (code > 127) return super.encodeInto(text, target)
      target[at] = code
    }
    return { read: length, written: length }
  }
}

/** Loads React with an encoder for its many short texts, which it takes from `util`: it encodes each tag and text alone. */
export async function withQuickEncoder<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const { TextEncoder } = util
  Object.assign(util, { TextEncoder: QuickEncoder })
  try {
    return await load()
  } finally {
    Object.assign(util, { TextEncoder })
  }
}
