import { initTRPC } from '@trpc/server'
import { createHTTPServer } from '@trpc/server/adapters/standalone'
import { z } from 'zod'

const { procedure, router } = initTRPC.create()
const order = procedure
  .input(z.object({ id: z.number().int() }))
  .query(({ input }) => ({ ...input, name: `order ${input.id}` }))
createHTTPServer({ router: router({ order }) }).listen(process.env.PORT)
