import type { AddressInfo } from 'node:net'
import { openRegistry } from '@portal/registry'
import { registryService } from '@portal/registry/http/service'
import { diskStore, type Store } from '@portal/registry/store'
import Fastify from 'fastify'
import { registryFolder } from './publisher.ts'

/** A second door to the registry of the run, on a disk that has room for so many octets of a module and no more. */
export async function startFullRegistry(room: number): Promise<{ url: string; stop(): Promise<void> }> {
  const disk = diskStore(registryFolder)
  let left = room
  const full = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const create: Store['create'] = async (key, data) => {
    // What the service notes of calls and people is small and stands elsewhere.
    if (/^(modules|uploads)\//.test(key)) {
      left -= Buffer.byteLength(data)
      if (left < 0) throw full()
    }
    return disk.create(key, data)
  }
  const app = Fastify()
  await app.register(registryService, {
    prefix: '/registry',
    registry: openRegistry({ store: { ...disk, create } }),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => app.close() }
}
