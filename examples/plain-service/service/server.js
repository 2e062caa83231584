import { buildApp } from './app.js'

const app = await buildApp()
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void app.close())
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 3000) })
