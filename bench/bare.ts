// A server that does nothing but answer, started by `load.ts`: the floor of the api's rate.
import Fastify from 'fastify'

const server = Fastify()
const body: unknown = JSON.parse(process.env.BENCH_BODY ?? '{}')
server.get('/', async () => body)
process.send?.(await server.listen({ port: 0, host: '127.0.0.1' }))
