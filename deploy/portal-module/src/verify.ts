import { integrityLike } from '@portal/build/files'
import { ModuleBuild, type RegistryModule, readRegistry } from '@portal/sdk/manifest'
import { compactVerify, decodeProtectedHeader, importJWK } from 'jose'
import * as v from 'valibot'
import { table } from './look.ts'
import { type Portal, PortalRefusal } from './portal.ts'
import { Refusal } from './refusal.ts'

type Signed = Pick<RegistryModule, 'name' | 'version' | 'build' | 'integrity' | 'signature'>

/** The public keys with their modules, and the revoked builds. */
type Trust = {
  keys: {
    id: string
    /** Null: the portal names people only to whoever has a key. */
    person: string | null
    public: { kty: 'OKP'; crv: string; x: string }
    modules: string[]
    revoked: boolean
  }[]
  builds: { name: string; build: string }[]
}

async function octets(address: string): Promise<Buffer> {
  const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(60_000) })
  if (!answer.ok) throw new Error(`answered ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

/**
 * Fetches what a portal serves to browsers. Verifies every signature with the key that owns the module, and every file of
 * every module with its hash, independently of the portal's own verification.
 */
export async function verifyPortal(portal: Portal): Promise<{ text: string; ok: boolean }> {
  const { registry, broken } = readRegistry(
    String(
      await octets(`${portal.address}/modules.json`).catch((fault: Error) => {
        throw new Refusal(`${portal.address}/modules.json cannot be read: ${fault.message}.`)
      }),
    ),
  )
  const trust = await trustOf(portal)
  const rows: string[][] = broken.map((each) => ['✗', each, 'not in order'])
  for (const module of registry.modules) {
    const { name, version, withheld } = module
    if (withheld) {
      rows.push(['✗', `${name} ${version}`, `the portal withholds it: ${withheld}`])
      continue
    }
    const signature = await signatureOf(module, trust)
    const found = await filesOf(portal.address, module)
    const faults = [...('fault' in signature ? [signature.fault] : []), ...found.faults]
    const lines = 'signer' in signature ? [`signed by ${signature.signer}`, `${found.files} files`] : []
    rows.push([faults.length ? '✗' : '✓', `${name} ${version}`, [...lines, ...faults].join('; ')])
  }
  return {
    text: `Generation ${registry.generation} of ${portal.address}\n${table(rows)}`,
    ok: rows.every(([mark]) => mark === '✓'),
  }
}

const trustOf = (portal: Portal) =>
  portal.get<Trust>('/registry/keys').catch((fault) => {
    if (!(fault instanceof PortalRefusal) || fault.status !== 404) throw fault
    throw new Refusal(
      `${portal.address} is older than this command and does not name its keys: use the portal-module of that portal (npm run sdk:pack there).`,
    )
  })

/** The signer of a build, or the reason why its signature is not valid. */
async function signatureOf(
  { name, version, build, integrity, signature }: Signed,
  { keys, builds }: Trust,
): Promise<{ signer: string } | { fault: string }> {
  if (!signature) return { fault: 'nobody signed it' }
  if (builds.some((each) => each.name === name && each.build === build))
    return { fault: `build ${build} was revoked` }
  const id = keyIdOf(signature)
  const key = keys.find((each) => each.id === id)
  if (!key) return { fault: `signed with ${id ?? 'no key'}, which the portal does not know` }
  const who = key.person ? `${key.person} (${key.id})` : key.id
  if (key.revoked) return { fault: `signed by ${who}, whose key was revoked` }
  if (!key.modules.includes(name)) return { fault: `signed by ${who}, whose key is not for ${name}` }
  const content = await compactVerify(signature, await importJWK(key.public, 'EdDSA'), {
    algorithms: ['EdDSA'],
  }).then(
    ({ payload }) => String(Buffer.from(payload)),
    () => null,
  )
  const same = content === JSON.stringify({ name, version, build, integrity })
  return same ? { signer: who } : { fault: `not what ${who} signed` }
}

function keyIdOf(signature: string): string | undefined {
  try {
    return decodeProtectedHeader(signature).kid
  } catch {
    return undefined
  }
}

async function filesOf(
  address: string,
  { base, integrity, name, version, build }: RegistryModule,
): Promise<{ files: number; faults: string[] }> {
  const wrong = async (file: string, expected: string) =>
    octets(address + base + file).then(
      (content) =>
        integrityLike(expected, content) === expected ? [] : [`${file} is not what was published`],
      (fault: Error) => [`${file} ${fault.message}`],
    )
  const faults = await wrong('build.json', integrity)
  if (faults.length) return { files: 0, faults }
  const record = v.safeParse(ModuleBuild, JSON.parse(String(await octets(`${address}${base}build.json`))))
  if (!record.success) return { files: 0, faults: ['build.json is not in order'] }
  const same =
    record.output.name === name && record.output.version === version && record.output.build === build
  if (!same) faults.push('build.json is that of another build')
  const files = Object.entries(record.output.files)
  for (const [file, expected] of files) faults.push(...(await wrong(file, expected)))
  return { files: files.length, faults }
}
