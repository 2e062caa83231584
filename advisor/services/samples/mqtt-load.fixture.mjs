import mqtt from 'mqtt'

const DURATION_MS = 2000
for (let connection = 0; connection < 5; connection++) {
  const client = mqtt.connect(`mqtt://127.0.0.1:${process.env.PORT}`)
  const send = () => client.publish(`orders/${connection}`, JSON.stringify({ id: connection }), { qos: 1 })
  client.on('message', send)
  client.on('connect', () => client.subscribe(`orders/${connection}`, send))
  setTimeout(() => client.end(true), DURATION_MS)
}
