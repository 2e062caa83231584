/** Formats JSON as npm writes it. */
export const formatJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** Formats JSON with a list on one line if it fits, as the formatter demands for all files except those of npm. */
export const formatShort = (value: unknown) =>
  formatJson(value).replace(/^( *"\w+": )\[\n([^[\]{}]*)\n *\]/gm, (whole, key: string, items: string) => {
    const line = `${key}[${items
      .split('\n')
      .map(item => item.trim())
      .join(' ')}]`
    return line.length < LINE_WIDTH ? line : whole
  })

const LINE_WIDTH = 110
