import type { Endpoint } from '@portal/contracts/endpoint'
import { isNamed } from '@portal/contracts/module-calls'
import type { Session } from '@portal/contracts/session'
import type { ModuleBuild } from '@portal/sdk/manifest'
import type { Answers } from '../harness/fake-portal.ts'
import { type FakeAnswer, type FakeCall, fakeRecords } from '../harness/records.ts'
import { sampleOf } from '../harness/sample.ts'
import { findEndpoint } from './endpoints.ts'

/** A call as the test portal got it. */
export type StageCall = FakeCall & {
  /** Made for the module by the frame in which it runs. */
  isolated: boolean
}

type Options = {
  manifest: Pick<ModuleBuild, 'name' | 'collections' | 'calls' | 'backends' | 'notices'>
  /** Answers of a test, by method and path: `GET /admin/schools/list`, also with `:id` in the path. */
  answers: Answers
}

const refusal = (status: number, message: string): FakeAnswer => ({ status, body: { message } })
const notAllowed = 'You do not have the permission for this.'

/**
 * The calls of the test portal. Records are kept and checked as in the portal, the test answers what it wants to, and the
 * rest is a sample of what the contract promises. Permissions of the person and of an isolated module are checked.
 */
export function stageCalls({ manifest, answers }: Options) {
  const records = fakeRecords({ first_name: 'Awa', last_name: 'Keïta' }, manifest.collections)
  const calls: StageCall[] = []

  async function answer(call: StageCall, session: Session): Promise<FakeAnswer> {
    calls.push(call)
    const found = await findEndpoint(call.method, call.path)
    if (found?.endpoint.path === '/session') return { body: session }
    if (!session.user) return refusal(401, 'Sign in.')
    const params = found?.params ?? {}
    if (call.isolated && !(found && isNamed(manifest, found.endpoint, params)))
      return refusal(
        403,
        `The module ${manifest.name} may not make this call, because its manifest does not name it.`,
      )
    if (!isAllowed(accessOf(manifest, found?.endpoint, call, params), session.permissions))
      return refusal(403, notAllowed)
    const own = answers[`${call.method} ${call.path}`] ?? answers[`${call.method} ${found?.endpoint.path}`]
    return (
      own?.(call) ??
      records.answer(call, session.user) ??
      (found ? { body: sampleOf(found.endpoint.answer) } : refusal(404, 'There is no such call.'))
    )
  }

  return { answer, records, calls }
}

type Params = Record<string, string>
type Manifest = Options['manifest']

/** Who may make a call. For records and servers of the module its manifest says so. */
function accessOf(manifest: Manifest, endpoint: Endpoint | undefined, call: FakeCall, params: Params) {
  const isImport = /\/import(\/sample\.xlsx)?$/.test(call.path)
  const kind = call.method === 'GET' && !isImport ? 'read' : 'write'
  const own =
    params.module === manifest.name &&
    (manifest.collections.find(({ name }) => name === params.collection) ??
      (manifest.backends ?? []).find(({ name }) => name === params.backend))
  if (own && /\/references\/\w+$/.test(call.path)) return [own.read, own.write].flat()
  return own ? own[kind] : (endpoint?.access ?? 'session')
}

const forEverybody: readonly string[] = ['session', 'public', 'invite', 'machine', 'signed']

const isAllowed = (access: string | readonly string[] | undefined, granted: readonly string[]): boolean =>
  [access ?? 'session'].flat().some((name) => forEverybody.includes(name) || granted.includes(name))
