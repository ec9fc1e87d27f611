import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuiltModule, buildModule } from '@portal/build/build-module'
import { integrityLike, integrityOf } from '@portal/build/files'
import { sentOf } from '@portal/sdk/gates/file-names'
import { ModuleBuild } from '@portal/sdk/manifest'
import * as v from 'valibot'
import { checkModule, findingsOf } from './check.ts'
import { type Key, signBuild } from './keys.ts'
import { type Check, connect, type Portal, PortalRefusal } from './portal.ts'
import { Refusal } from './refusal.ts'
import { readImported } from './remote/import.ts'

/** The published build. `message` is the portal's, and says whom the build waits for. */
export type Published = { name: string; version: string; build: string; message: string; checks: Check[] }

type Options = {
  dir: string
  /** Address of the portal. */
  portal: string
  key: Key
  /** A finished build, which is published as it is. Without one the module is built. */
  built?: BuiltModule
  /** Gets the progress, line by line. */
  say?: (line: string) => void
}

/** Builds a module (an imported one is taken as it is), runs every gate, signs and uploads it. It is not live until it is promoted. */
export async function publishModule({
  dir,
  portal: address,
  key,
  built: given,
  say = () => {},
}: Options): Promise<Published> {
  const portal = connect(address, () => key)
  const built = given ?? (await readImported(dir)) ?? (await buildModule(dir))
  const { name, version, build } = built.record
  say(`${name} ${version} is build ${build}.`)
  const { checks, tried } = await checkModule(given ? null : dir, built, portal)
  const failed = checks.filter(({ ok }) => !ok)
  if (failed.length)
    throw new Refusal(`${name} ${version} was not sent: put this right first.\n${findingsOf(failed)}`)
  return upload(portal, built, { key, checks: tried, say })
}

/** Reads a build that was made before. Throws if a file is not the one that `build.json` names. */
export async function readArtefact(folder: string): Promise<BuiltModule> {
  const text = await readFile(join(folder, 'build.json'), 'utf8').catch(() => {
    throw new Refusal(`${folder} has no build.json: give the folder dist/ of a module that was built.`)
  })
  const found = v.safeParse(ModuleBuild, JSON.parse(text))
  if (!found.success)
    throw new Refusal(`${folder}/build.json is of another kind of build: ${found.issues[0].message}`)
  for (const [file, integrity] of Object.entries(sentOf(found.output))) {
    const content = await readFile(join(folder, file)).catch(() => null)
    if (!content || integrityLike(integrity, content) !== integrity)
      throw new Refusal(
        `${file} in ${folder} is not what was built: build it again, or fetch the artefact again.`,
      )
  }
  return { folder, record: found.output, fresh: false }
}

/** Uploads a built module that passed its gates, with the findings of its conformance tests. The portal runs its gates again. */
export async function upload(
  portal: Portal,
  { folder, record }: Pick<BuiltModule, 'folder' | 'record'>,
  { key, checks, say = () => {} }: { key: Key; checks: Check[]; say?: (line: string) => void },
): Promise<Published> {
  const { name, version, build } = record
  const text = await readFile(join(folder, 'build.json'), 'utf8')
  const signature = await signBuild(key, { name, version, build, integrity: integrityOf(text) })
  try {
    const announced = { record: text, signature, checks }
    const begun = await portal.post<{ message: string; missing: string[] }>('/registry/uploads', announced)
    // The portal has the same files under this version already.
    if (begun.status === 200) return { name, version, build, message: begun.message, checks }
    for (const file of begun.missing) {
      const path = file.split('/').map(encodeURIComponent).join('/')
      await portal.put(`/registry/uploads/${name}/${build}/files/${path}`, await readFile(join(folder, file)))
    }
    if (begun.missing.length) say(`${begun.missing.length} files sent.`)
    const done = await portal.post<{ message: string; checks?: Check[] }>(
      `/registry/uploads/${name}/${build}/commit`,
    )
    return { name, version, build, message: done.message, checks: done.checks ?? checks }
  } catch (fault) {
    if (fault instanceof PortalRefusal && fault.body.checks)
      throw new Refusal(
        `${fault.message}\n${findingsOf(fault.body.checks.filter(({ ok }) => !ok))}`.trimEnd(),
      )
    throw fault
  }
}
