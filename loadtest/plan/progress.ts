/**
 * Says on stderr which step is being simulated: one line that changes on a terminal, a line for each step in a pipe.
 * @param count number of steps
 */
export function createReporter(count: number, stream: NodeJS.WriteStream = process.stderr) {
  let begun = 0
  return (name: string): void => {
    const [before, after] = stream.isTTY ? ['\r\x1b[2K', begun + 1 === count ? '\n' : ''] : ['', '\n']
    stream.write(`${before}[model ${++begun}/${count}] ${name}${after}`)
  }
}
