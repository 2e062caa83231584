const cities = ['Berlin', 'Lima', 'Osaka', 'Cairo', 'Perth']

/** The order with this id; undefined if there is none. It stands for a call of a microservice. */
export const findOrder = async id =>
  id >= 1 && id <= 50 ? { id, city: cities[id % cities.length] } : undefined

export const findOrders = () => Promise.all(Array.from({ length: 50 }, (_, index) => findOrder(index + 1)))
