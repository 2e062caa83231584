/** A figure with about three digits, which is readable from far away. */
export function formatFigure(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  const digits = value >= 100 || value === 0 ? 0 : value >= 10 ? 1 : 2
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

export const formatCount = (value: number | null): string => value?.toLocaleString('en') ?? '–'

export const formatPercent = (share: number): string => `${Math.round(share * 100)}`
