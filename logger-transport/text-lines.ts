/** Returns the number of newlines in the bytes. */
export function countNewlines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1)) count++
  return count
}
