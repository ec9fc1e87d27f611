import type { Failure } from '../failures.ts'
import { sharedVersion } from '../federation.ts'
import { integrityFor } from '../integrity.ts'

/** How the containers of every bundler say it: what is here, of which library, and what was asked for. */
const unsatisfied = /Unsatisfied version (\S+) .*shared singleton module (\S+) \(required ([^)]+)\)/
const missing = /Shared module (\S+) doesn.t exist/

/** Tells what kept a module from opening, from what its loader threw and from the files that did not come. */
export async function judge(
  fault: unknown,
  files: readonly string[],
  unreachable: Failure,
): Promise<Failure> {
  for (const file of files) {
    const found = await look(file)
    if (found === 'tampered') return { reason: 'integrity' }
    if (found === 'html') return { reason: 'html', file }
  }
  const { name, message } = fault instanceof Error ? fault : { name: '', message: String(fault) }
  if (files.length > 0 || /Chunk|CSS_CHUNK/.test(name)) return unreachable
  const [, here = '', library = '', needed = ''] = unsatisfied.exec(message) ?? []
  // Of the contract there is one sentence, whoever finds out.
  if (library === '@portal/sdk') return { reason: 'contract', needed }
  if (library) return { reason: 'shared', library, needed, here }
  const absent = missing.exec(message)?.[1]
  if (absent) return { reason: 'shared', library: absent, needed: '', here: sharedVersion(absent) ?? '' }
  return { reason: 'threw', message }
}

/** What the server sends under an address, fetched past the cache: something else than the registry says, or a page? */
async function look(path: string): Promise<'tampered' | 'html' | 'same' | 'nothing'> {
  const expected = integrityFor(path)
  try {
    const answer = await fetch(path, { cache: 'no-store', signal: AbortSignal.timeout(10_000) })
    if (!answer.ok) return 'nothing'
    const digest = await crypto.subtle.digest('SHA-384', await answer.arrayBuffer())
    const hash = `sha384-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`
    if (hash === expected) return 'same'
    // Whoever answers with a page answers for somebody else: a sign-in of the network, a server that was moved.
    return answer.headers.get('content-type')?.includes('html') ? 'html' : 'tampered'
  } catch {
    return 'nothing'
  }
}
