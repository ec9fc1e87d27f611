import { isDeepStrictEqual } from 'node:util'
import { RegistryModule } from '@portal/sdk/manifest'
import * as v from 'valibot'
import { type Revoked, vouchesFor } from './keys.ts'
import type { RegistryParts } from './parts.ts'
import type { Entry } from './schemas.ts'
import { integrityOf, keyIdOf, readSigned, type SignedBuild } from './signing.ts'

type Withheld = NonNullable<RegistryModule['withheld']>
/** What is known of a build, and of the keys that may have signed it. */
type Evidence = Pick<RegistryParts, 'builds' | 'keys' | 'revocations'>

/** Checks that a build was signed by a key that owns the module, and was not revoked. */
async function checkSigned(
  evidence: Evidence,
  { name, version, build, integrity }: SignedBuild,
  signature: string | null,
): Promise<Withheld | null> {
  if (!signature) return 'unsigned'
  if (await evidence.revocations.build(name, build)) return 'revoked'
  const id = keyIdOf(signature)
  const key = id === undefined ? null : await evidence.keys.read(id)
  if (!key) return 'signature'
  if (await evidence.revocations.key(key.id)) return 'revoked'
  const signed = await readSigned(signature, key)
  const same = isDeepStrictEqual(signed, { name, version, build, integrity })
  return same && vouchesFor(key, name) ? null : 'signature'
}

/**
 * Whether a published build may still be run: its key signed it, and neither was revoked. Signatures are verified once,
 * because a build never changes.
 */
export function openTrust(evidence: Evidence) {
  const signed = new Map<string, boolean>()
  return async (name: string, build: string, revoked: Revoked): Promise<boolean> => {
    const record = await evidence.builds.ofBuild(name, build)
    if (!record || revoked.keys.includes(record.key)) return false
    if (revoked.builds.some((each) => each.name === name && each.build === build)) return false
    const known = signed.get(`${name}/${build}`)
    if (known !== undefined) return known
    const fault = await checkSigned(evidence, record, record.signature)
    signed.set(`${name}/${build}`, fault === null)
    return fault === null
  }
}

/** The fields of build.json that the registry copies. */
const CopiedFields = v.omit(RegistryModule, [
  ...(['integrity', 'previous', 'disabled', 'withheld', 'signature'] as const),
  'beside',
])

/** Checks that build.json is the signed one and agrees with the registry. */
async function checkRecord(evidence: Evidence, module: RegistryModule): Promise<Withheld | null> {
  const text = await evidence.builds.text(module.name, module.build)
  if (text === null || integrityOf(text) !== module.integrity) return 'broken'
  return isDeepStrictEqual(v.parse(CopiedFields, JSON.parse(text)), v.parse(CopiedFields, module))
    ? null
    : 'broken'
}

/** Why a build must not be run; null when it may. */
async function whyWithheld(evidence: Evidence, module: RegistryModule): Promise<Withheld | null> {
  return (
    (await checkSigned(evidence, module, module.signature)) ??
    (await checkRecord(evidence, module).catch((): Withheld => 'broken'))
  )
}

/** Verifies the previous build in the same way. Its signature is in its build record. */
async function checkPrevious(evidence: Evidence, { name, previous }: RegistryModule) {
  if (!previous) return null
  const record = await evidence.builds.ofBuild(name, previous.build)
  const fault = await checkSigned(evidence, { name, ...previous }, record?.signature ?? null)
  const text = await evidence.builds.text(name, previous.build)
  return !fault && text !== null && integrityOf(text) === previous.integrity ? previous : null
}

async function verified(evidence: Evidence, module: RegistryModule): Promise<RegistryModule> {
  return {
    ...module,
    withheld: await whyWithheld(evidence, module),
    previous: await checkPrevious(evidence, module).catch(() => null),
  }
}

/**
 * Verifies an entry. An invalid build is withheld but stays in the menu; nobody gets an invalid canary, or an invalid
 * build for another major of the contract.
 */
export async function verifyEntry(
  evidence: Evidence,
  { canary, pinned, beside = [], ...module }: Entry,
): Promise<Entry> {
  const newer = canary && (await verified(evidence, canary.module))
  const others = await Promise.all(beside.map((each) => verified(evidence, each)))
  const valid = others.filter(({ withheld }) => !withheld)
  return {
    ...(await verified(evidence, module)),
    ...(valid.length && { beside: valid }),
    ...(pinned && { pinned }),
    ...(canary && newer && !newer.withheld && { canary: { ...canary, module: newer } }),
  }
}
