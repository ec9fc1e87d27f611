import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Developed } from '@portal/build/develop-module'
import { filesBelow } from '@portal/build/files'
import type { Served } from '@portal/sdk/development'
import type { ModuleBuild } from '@portal/sdk/manifest'
import type { OwnAddresses } from './own-servers/addresses.ts'
import { type OwnServers, ownServers } from './own-servers/serve.ts'
import type { Files } from './page-files.ts'

/** A module during development, as it is served now. */
export type ServedModule = {
  /** The address of this command. */
  address: string
  /** Where servers of the module are on this machine. */
  backends: OwnAddresses
  say: (line: string) => void
  files: Files
  served: Served
  /** Open pages, which hear of each change. */
  pages: Set<ServerResponse>
  record?: ModuleBuild
  own?: OwnServers
}

export const nothingServed = (given: Pick<ServedModule, 'address' | 'backends' | 'say'>): ServedModule => ({
  ...given,
  files: new Map(),
  served: { build: '', hash: '', sheets: [], fault: null },
  pages: new Set(),
})

/** The build that is served. */
export function recordOf({ record }: ServedModule): ModuleBuild {
  if (!record) throw new Error('Nothing is built yet.')
  return record
}

/** Serves what was built, and tells the open pages if it is something else than before. */
export async function take(module: ServedModule, built: Developed, ms: number): Promise<void> {
  const { address, backends, files, served } = module
  // Source maps too, which build.json does not list: a browser fetches them for its tools only.
  for (const file of filesBelow(built.folder))
    if (!(isOfChange(file) && files.has(`/${file}`)))
      files.set(`/${file}`, await readFile(join(built.folder, file)))
  const { record, hash } = built
  module.record = record
  module.own ??= await ownServers({ record: () => recordOf(module), named: backends, address })
  const described = { ...record, base: `${address}/`, own_servers: module.own.names() }
  files.set('/build.json', Buffer.from(JSON.stringify(described)))
  if (served.hash === hash && !served.fault) return
  const sheets = Object.keys(record.files).filter((file) => file.endsWith('.css'))
  Object.assign(served, { build: record.build, hash, sheets, fault: null })
  tellAll(module)
  module.say(`${record.name} ${record.version}, after ${(ms / 1000).toFixed(2)} s.`)
}

/** What an open page takes of one change. It never changes itself. */
const isOfChange = (file: string) => file.includes('.hot-update.')

/** Tells the open pages of a fault. What was there before is still served. */
export function fail(module: ServedModule, fault: string): void {
  const { served, say } = module
  if (served.fault === fault) return
  served.fault = fault
  if (served.hash) say(`${fault}\nWhat was there before is still served.`)
  tellAll(module)
}

function tellAll({ pages, served }: ServedModule): void {
  for (const page of pages) tell(page, served)
}

/** Tells a page what is served now, and after each change. A page that was cut off asks again by itself. */
export function listenTo({ pages, served }: ServedModule, reply: ServerResponse): void {
  reply.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  tell(reply, served)
  pages.add(reply)
  reply.on('close', () => pages.delete(reply))
}

const tell = (page: ServerResponse, served: Served) =>
  page.write(`event: served\ndata: ${JSON.stringify(served)}\n\n`)
