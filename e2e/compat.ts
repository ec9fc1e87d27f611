import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type {
  CompatData,
  CompatStatement,
  Identifier,
  SimpleSupportStatement,
} from '@mdn/browser-compat-data'
import { oldestBrowsers } from '@portal/build/browsers'

/** Which browser has which name of the language, of the Web and of styles, as MDN's tables say. */
export const compat = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('@mdn/browser-compat-data'), 'utf8'),
) as CompatData

/** The features within one, by name. */
export const featuresIn = (feature: Identifier): [string, Identifier][] =>
  Object.entries(feature as Record<string, Identifier>).filter(([name]) => name !== '__compat')

export type Browser = keyof typeof oldestBrowsers

/** The promised browsers whose oldest version does not have a feature under its own name and without a setting. */
export function lackedBy(statement: CompatStatement): Browser[] {
  const browsers = Object.entries(oldestBrowsers) as [Browser, string][]
  return browsers.filter(([name, oldest]) => !isIn(statement.support[name], oldest)).map(([name]) => name)
}

function isIn(support: CompatStatement['support'][Browser], oldest: string): boolean {
  const statements: SimpleSupportStatement[] = support ? [support].flat() : []
  return statements.some(
    ({ version_added, version_removed, flags, prefix, alternative_name }) =>
      !(flags || prefix || alternative_name) &&
      isBefore(version_added, oldest) &&
      !isBefore(version_removed, oldest),
  )
}

/** Whether a change had come by a version. A later one may be `preview` or unknown. */
function isBefore(change: string | false | undefined, version: string): boolean {
  return Number.parseFloat(String(change).replace('≤', '')) <= Number.parseFloat(version)
}
