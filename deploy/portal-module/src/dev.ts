import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { developModule } from '@portal/build/develop-module'
import { readManifest } from '@portal/build/registry'
import { compileWords } from '@portal/i18n/module-catalogs'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { respond } from './development-answers.ts'
import { listen } from './listen.ts'
import type { OwnAddresses } from './own-servers/addresses.ts'
import { pageFiles } from './page-files.ts'
import { messageOf, Refusal } from './refusal.ts'
import { fail, listenTo, nothingServed, recordOf, type ServedModule, take } from './served-module.ts'
import { watchFolder } from './watch-folder.ts'

type Options = {
  dir: string
  port: number
  /** Runs the module in a page of this command instead of the portal's pages. */
  alone: boolean
  /** The portal whose pages load the module from here; with `alone`, the one that answers its calls (default: a fake one). */
  portal?: string
  /** Where servers of the module are on this machine. */
  backends?: OwnAddresses
  say: (line: string) => void
}

/** Serves a module during development. Open pages take each change in place. */
export async function serveModule(options: Options): Promise<() => Promise<void>> {
  const { dir, port, alone, portal, backends = new Map(), say } = options
  // A frame of an isolated module has no origin that could be allowed. Whoever knows the key may read what is served.
  const key = randomBytes(16).toString('hex')
  const module = nothingServed({ address: `http://localhost:${port}`, backends, say })
  const bundler = await follow(module, { dir, place: String(port) })
  if (!module.served.hash) {
    await bundler.close()
    throw new Refusal(module.served.fault ?? 'Nothing is built.')
  }
  if (alone) {
    for (const [path, content] of await pageFiles('alone', dir)) module.files.set(path, content)
    module.files.set('/alone.json', Buffer.from(JSON.stringify({ portal: portal ?? null })))
  }
  const server = createServer((request, reply) => respond(module, { key, alone, portal }, request, reply))
  await listen(server, port)
  const stage = alone ? await stageIfThere(module, { dir, port: port + 1, key, portal }) : null
  const stop = watchFolder(dir, (manifestChanged) =>
    bundler.changed(manifestChanged).catch((fault) => fail(module, messageOf(fault))),
  )
  say(
    alone
      ? `Alone, with ${portal ?? 'a made-up portal'} behind it: ${module.address}/`
      : whereToLook({ port, key }, portal, module.record),
  )
  if (stage)
    say(
      `In the portal’s own pages, isolated or trusted by a switch: ${stage.portal}${module.record?.routes[0] ?? '/home'}`,
    )
  return async () => {
    stop()
    await bundler.close()
    await stage?.end()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** Bundles a module, and again after each change of its code. `changed` handles what the bundler does not see: translations and the manifest. */
async function follow(module: ServedModule, { dir, place }: { dir: string; place: string }) {
  const develop = () =>
    developModule(dir, {
      place,
      onBuilt: (built, ms) => take(module, built, ms),
      onFault: (fault) => fail(module, fault),
    })
  let developed = await develop()
  return {
    close: () => developed.close(),
    /** Compiles new translations for the bundler. After a change of the manifest it starts the bundler again. */
    async changed(manifestChanged: boolean): Promise<void> {
      if (manifestChanged) {
        await readManifest(dir)
        await developed.close()
        developed = await develop()
        return
      }
      // The bundler itself reports a file that cannot be read.
      const faults = await compileWords(dir).catch(() => [])
      if (faults.length) fail(module, faults.join('\n'))
    },
  }
}

/** The portal's pages around the module, where the package with them is installed. */
async function stageIfThere(
  module: ServedModule,
  { dir, port, key, portal }: { dir: string; port: number; key: string; portal: string | undefined },
) {
  const { startDevelopment } = await import('./browser/develop.ts')
  const { address, files, own } = module
  return startDevelopment({
    ...{ dir, port, own },
    module: () => ({ record: recordOf(module), file: (name) => files.get(`/${name}`) }),
    listenTo: (reply) => listenTo(module, reply),
    behind: portal ? { portal, signInAt: `${address}/` } : undefined,
    filesAt: `${address}/${key}/`,
  }).catch((fault: unknown) => {
    if (fault instanceof Refusal) return null
    throw fault
  })
}

function whereToLook(
  { port, key }: { port: number; key: string },
  portal: string | undefined,
  record: ModuleBuild | undefined,
): string {
  const to = record?.routes[0] ?? '/home'
  return [
    'Open this in the browser in which you are signed in; it counts for that browser only, for eight hours:',
    `  ${portal}/dev/override?module=${record?.name}&port=${port}&to=${to}&key=${key}&kind=isolated`,
    'It runs isolated, in a frame; a switch above the page runs it in the page. A portal without a second address needs kind=trusted.',
    `Back to what everybody sees: ${portal}/dev/override/reset`,
  ].join('\n')
}
