import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'

const orders = Array.from({ length: 20 }, (_, id) => ({ id, name: `order ${id}`, total: id * 1.5 }))
const typeDefs = 'type Order { id: Int! name: String! total: Float! } type Query { orders: [Order!]! }'
const server = new ApolloServer({ typeDefs, resolvers: { Query: { orders: () => orders } } })
await startStandaloneServer(server, { listen: { port: Number(process.env.PORT) } })
