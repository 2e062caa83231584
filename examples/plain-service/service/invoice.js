import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { money, totalOf } from './orders.js'

/** Makes the invoice of an order. The date is fixed, so that the same order always gives the same bytes. */
export async function invoiceOf(order) {
  const document = new PDFDocument({ info: { CreationDate: new Date(0) } })
  document.fontSize(20).text(`Invoice ${order.id}`).fontSize(11).moveDown()
  document.text(`${order.customer}, ${order.city}`).moveDown()
  for (const { product, quantity, cents } of order.items)
    document.text(`${quantity} x ${product} at ${money(cents)}: ${money(quantity * cents)}`)
  document
    .moveDown()
    .text(`Total ${money(totalOf(order))}`)
    .end()
  return new Uint8Array(await buffer(document))
}
