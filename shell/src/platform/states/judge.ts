import type { Failure } from '../failures.ts'
import { integrityFor } from '../integrity.ts'
import { lazyFederation } from '../lazy-federation.ts'

/** Error messages for a version mismatch, of the federation runtime and of plain containers: library, found, wanted. */
const unsatisfied = [
  /Version (\S+) from .* of shared singleton module (\S+) does not satisfy the requirement of .* which needs ([^)]+)\)/,
  /Unsatisfied version (\S+) .*shared singleton module (\S+) \(required ([^)]+)\)/,
]
const missing = [/"(?:shareKey|sharedPkgName)":"([^"]+)"/, /Shared module (\S+) doesn.t exist/]

const firstMatch = (patterns: RegExp[], text: string) =>
  patterns.map((pattern) => pattern.exec(text)).find((found) => found !== null)

/** Classifies why a module did not open, by the error of its loader and the files that failed. */
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
  const [, here = '', library = '', needed = ''] = firstMatch(unsatisfied, message) ?? []
  // A mismatch of the contract has one sentence, wherever it is found.
  if (library === '@portal/sdk') return { reason: 'contract', needed }
  if (library) return { reason: 'shared', library, needed, here }
  const absent = firstMatch(missing, message)?.[1]
  if (absent) {
    const { givenVersions } = await lazyFederation.fetch()
    return { reason: 'shared', library: absent, needed: '', here: givenVersions[absent] ?? '' }
  }
  return { reason: 'threw', message }
}

/** Fetches a failed file again without the cache, to find out whether its hash differs from the registry's, or it is a web page. */
async function look(path: string): Promise<'tampered' | 'html' | 'same' | 'nothing'> {
  const expected = integrityFor(path)
  try {
    const answer = await fetch(path, { cache: 'no-store', signal: AbortSignal.timeout(10_000) })
    if (!answer.ok) return 'nothing'
    const bits = expected?.startsWith('sha256-') ? '256' : '384'
    const digest = await crypto.subtle.digest(`SHA-${bits}`, await answer.arrayBuffer())
    const hash = `sha${bits}-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`
    if (hash === expected) return 'same'
    // A web page in place of a script comes from something in between: a network's sign-in page, or a moved server.
    return answer.headers.get('content-type')?.includes('html') ? 'html' : 'tampered'
  } catch {
    return 'nothing'
  }
}
