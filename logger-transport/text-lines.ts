/** Returns the number of newlines in the bytes. */
export function countNewlines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1)) count++
  return count
}

/** Whether a line has anything but blanks, such as a carriage return or a byte order mark. What has not is no line. */
export const hasText = (line: string): boolean => /\S/.test(line)
