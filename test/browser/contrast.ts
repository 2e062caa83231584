/** The contrast ratio of WCAG 2.2: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** @throws when the color is partly transparent, because its contrast then depends on the elements below */
function luminance(color: string): number {
  if (alphaOf(color) < 1) throw new Error(`cannot tell the contrast of ${color}: it is translucent`)
  const [red, green, blue] = channelsOf(color).map(channel => linear(channel / 255)) as [
    number,
    number,
    number,
  ]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const linear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
const channelsOf = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number)
const alphaOf = (color: string) => channelsOf(color)[3] ?? 1
