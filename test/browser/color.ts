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

/** A channel of sRGB from 0 to 1 as linear light. */
const linear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
const channelsOf = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number)
const alphaOf = (color: string) => channelsOf(color)[3] ?? 1

/** Coordinates in the CIELAB space, in which a distance of 1 is about the least difference that people notice. */
type Lab = readonly [lightness: number, greenToRed: number, blueToYellow: number]
type Triple = readonly [number, number, number]
type Matrix = readonly [Triple, Triple, Triple]

/**
 * Matrices that turn linear RGB into the colours that people see, with normal sight and with each complete colour
 * deficiency: G. Machado, M. Oliveira,
 * L. Fernandes, A Physiologically-based Model for Simulation of Color Vision Deficiency, 2009.
 */
export const sights = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} as const satisfies Record<string, Matrix>

/** The distance between two colours such as `#6e9895` in CIELAB, as people with this sight see them. */
export function colorDifference(one: string, other: string, sight: keyof typeof sights): number {
  const [a, b] = [one, other].map(hex => toLab(times(sights[sight], toLinear(hex)))) as [Lab, Lab]
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

const times = (matrix: Matrix, color: Triple) =>
  matrix.map(row => clamp(row[0] * color[0] + row[1] * color[1] + row[2] * color[2])) as unknown as Triple

const clamp = (value: number) => Math.min(1, Math.max(0, value))

const toLinear = (hex: string) =>
  [1, 3, 5].map(at => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255)) as unknown as Triple

/** Linear RGB to XYZ (IEC 61966-2-1), relative to the white of D65. */
const toXyz: Matrix = [
  [0.4124 / 0.95047, 0.3576 / 0.95047, 0.1805 / 0.95047],
  [0.2126, 0.7152, 0.0722],
  [0.0193 / 1.08883, 0.1192 / 1.08883, 0.9505 / 1.08883],
]

function toLab(linear: Triple): Lab {
  const [x, y, z] = times(toXyz, linear).map(value =>
    value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116,
  ) as unknown as Triple
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}
