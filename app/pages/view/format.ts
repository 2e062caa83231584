const amount = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

const count = new Intl.NumberFormat('en')

export const formatCount = (things: number): string => count.format(things)

export const formatMoney = (euros: number): string => `EUR ${amount.format(euros)}`

/**
 * The day of a time; empty text stays empty.
 * @throws RangeError when `iso` is not a time
 */
export const formatDay = (iso: string): string => (iso === '' ? '' : day.format(new Date(iso)))
