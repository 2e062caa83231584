import { data, useLoaderData } from 'react-router'
import { findOrder } from './orders.js'

/** The route of one order. The browser loads this module when it is needed. */
export async function loader({ params }) {
  const order = await findOrder(Number(params.id))
  if (!order) throw data(`There is no order ${params.id}.`, { status: 404 })
  return order
}

export function Component() {
  const { id, city } = useLoaderData()
  return (
    <h1>
      Order {id} for {city}
    </h1>
  )
}
