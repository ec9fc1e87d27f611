import type { BuiltModule } from '@portal/build/build-module'
import { checkWords } from '@portal/i18n/module-catalogs'
import { passGates } from '@portal/sdk/gates/pass'
import { candidateOf, insideOf } from './candidate.ts'
import { tryModule } from './conformance.ts'
import { checkFields } from './loose-records.ts'
import type { Check, Portal } from './portal.ts'
import { tryRemote } from './remote/check.ts'
import { checkDeprecated } from './upgrade/deprecated.ts'

/** The findings as text, one line each. */
export const findingsOf = (checks: Check[]): string =>
  checks.map(({ gate, ok, warns, text }) => `${ok ? (warns ? '!' : '✓') : '✗'} ${gate}: ${text}`).join('\n')

/** `checks` are all findings. `tried` are those of the conformance tests, which the publisher signs. */
export type Checked = { checks: Check[]; tried: Check[] }

/**
 * Runs every gate of publishing before anything is sent. They are those of the portal, which runs them again at the upload.
 * With a portal the module is held against what is live there, otherwise against what the packages offer that it was built with.
 * `dir` has the sources; null for a build that was made elsewhere.
 */
export async function checkModule(dir: string | null, built: BuiltModule, portal?: Portal): Promise<Checked> {
  const { remote } = built.record
  const { checks: tried, hasPages } = remote
    ? { checks: [await tryRemote(built)], hasPages: false }
    : await tryModule(built)
  const candidate = await candidateOf(built, tried, portal)
  const gates = passGates(candidate)
  const inside = await insideOf(built, candidate)
  const withInside = gates.map((check) =>
    check.gate === 'weights' && inside ? { ...check, text: `${check.text} ${inside}` } : check,
  )
  const ofSources =
    dir === null || remote ? [] : [await checkCatalogs(dir), await checkDeprecated(dir, hasPages)]
  return { checks: [...withInside, checkFields(built.record), ...ofSources, ...tried], tried }
}

/** Whether the catalogs of the sources are complete, with the words of those that are not. */
async function checkCatalogs(dir: string): Promise<Check> {
  const faults = await checkWords(dir)
  return {
    gate: 'words',
    ok: faults.length === 0,
    text: faults.length
      ? `${faults.join('\n    ')}\n    portal-module words writes the .po files anew; then fill them in.`
      : 'every sentence of the sources has its French.',
  }
}
