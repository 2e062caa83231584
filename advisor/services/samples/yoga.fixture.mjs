import { createServer } from 'node:http'
import { createSchema, createYoga } from 'graphql-yoga'

const orders = Array.from({ length: 20 }, (_, id) => ({ id, name: `order ${id}`, total: id * 1.5 }))
const typeDefs = 'type Order { id: Int! name: String! total: Float! } type Query { orders: [Order!]! }'
const schema = createSchema({ typeDefs, resolvers: { Query: { orders: () => orders } } })
createServer(createYoga({ schema, graphqlEndpoint: '/' })).listen(process.env.PORT)
