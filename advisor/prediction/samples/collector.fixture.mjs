import { createServer } from 'node:http'

/** Takes whatever an exporter sends. Of several that start, one gets the port. */
createServer((request, response) => request.resume().on('end', () => response.end())).listen(process.argv[2])
