import { frameScript, mostGiven } from './frames.ts'
import type { ModuleBuild } from './manifest.ts'

/** How the gateway, and the test portal of a team, send the page of a frame. */

/** JSON inside a script element, escaped so that it cannot end the element. */
export const inlineJson = (id: string, json: string): string =>
  `<script type="application/json" id="${id}">${json.replaceAll('<', '\\u003c')}</script>`

/** The hashes of what the portal may give to a frame, by path. */
export type Given = Record<string, string>

const element = /<script type="application\/json" id="given">([^<]*)<\/script>/

/** What the built page lists of the shell, and the page with the list of what the frame asks the portal for. */
export function readGiven(html: string): { given: Given; withList: (paths: string[]) => string } {
  const [all = '', json = '{}'] = element.exec(html) ?? []
  return {
    given: JSON.parse(json) as Given,
    withList: (paths) => html.replace(all, () => all.replace(json, () => JSON.stringify(paths))),
  }
}

/**
 * The hashes of a build's scripts, those first that its pages begin with. `read` has the text of a file, or null;
 * `sha256` makes a hash in the form of a policy.
 */
export async function givenOf(
  { base, entry, preloads, files }: Pick<ModuleBuild, 'base' | 'entry' | 'preloads' | 'files'>,
  read: (file: string) => Promise<string | null>,
  sha256: (text: string) => string,
): Promise<Given> {
  const inOrder = new Set([entry, ...Object.values(preloads).flat(), ...Object.keys(files)])
  const scripts = [...inOrder].filter((file) => file.endsWith('.js') && files[file])
  const given: Given = {}
  for (const file of scripts.slice(0, mostGiven)) {
    const text = await read(file)
    if (text !== null) given[base + file] = sha256(frameScript(text, base + file))
  }
  return given
}

/**
 * The policies of a frame's page, with what they let run: the first one all scripts with these hashes, the second one
 * (`strict-dynamic`) of the scripts in the text of the page only the loader.
 */
export const lettingIn = (policies: string, given: Given): string =>
  policies.replace(/script-src [^;,]*/g, (directive) => {
    const { loader = null } = given
    const hashes = directive.includes("'strict-dynamic'") ? [loader] : Object.values(given)
    return [directive, ...hashes.flatMap((hash) => (hash ? [`'${hash}'`] : []))].join(' ')
  })
