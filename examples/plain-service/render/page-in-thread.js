import { ordersTo } from './orders.js'

// biome-ignore lint/style/noDefaultExport: the renderer loads the component by this name
export { Page as default } from './page.js'

/** Reads the orders in the thread, so that they are not copied to it. */
export const load = ({ props }) => ({ orders: ordersTo(props.count) })
