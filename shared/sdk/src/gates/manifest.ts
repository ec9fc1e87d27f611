import { auditEvents, auditTypes } from '@portal/contracts/audit'
import * as v from 'valibot'
import { tabPlace } from '../extensions.ts'
import { type ModuleBuild, ModuleManifest } from '../manifest.ts'
import { linksOutside, recordsOutside } from '../own-addresses.ts'
import { faultsOfColumns } from '../own-columns.ts'
import { faultsOfEvents } from '../own-events.ts'
import { faultsOfNotices } from '../own-notices.ts'
import { faultsOfReports } from '../own-reports.ts'
import { type Candidate, type Finding, fault, foundIn, some } from './candidate.ts'

/** Whether the manifest is in order, and agrees with itself. */
export function manifestInOrder({ text, details }: Candidate): Finding {
  const raw = JSON.parse(text) as Record<string, unknown>
  const own = Object.fromEntries(Object.entries(raw).filter(([field]) => field in ModuleManifest.entries))
  const found = v.safeParse(ModuleManifest, own)
  if (!found.success) {
    const [issue] = found.issues
    return fault(
      `portal.module.json: ${v.getDotPath(issue) ?? ''} ${issue.message} Correct it and build again.`,
    )
  }
  const faults = [
    ...contradictions(details).flatMap(([list, say]) => (list.length ? [say(some(list))] : [])),
    ...namedTwice(details).flatMap(([what, list]) =>
      list.length ? [`The ${what} ${some(list)} stands there twice: name each once.`] : [],
    ),
  ]
  return foundIn(faults, 'portal.module.json is in order.')
}

/** What contradicts another part of the manifest, with the sentence about it. */
const contradictions = (details: ModuleBuild): [string[], (listed: string) => string][] => [
  [
    linksOutside(details),
    (links) => `It leads to ${links}, outside the module's routes: add the route, or drop the entry.`,
  ],
  [
    recordsOutside(details),
    (calls) =>
      `The search reads ${calls}: a module searches records of the collections that it declares itself.`,
  ],
  [
    neverAudited(details),
    (events) => `The audit log never has ${events}: name an event and a type that it has, or drop "done".`,
  ],
  [faultsOfReports(details), (faults) => `${faults}: correct what it reports.`],
  [faultsOfEvents(details), (faults) => `${faults}: correct what it tells and hears.`],
  [
    faultsOfColumns(details),
    (faults) => `${faults}: a column shows declared fields of records, to who may read them.`,
  ],
  [
    faultsOfNotices(details),
    (faults) => `${faults}: a notice says what its manifest declares, to who may read it.`,
  ],
]

/** Steps of the first day that would be done by events that nothing writes. */
const neverAudited = ({ first_day = [] }: ModuleBuild): string[] =>
  first_day.flatMap(({ done }, at) =>
    (done?.events ?? [])
      .filter((event) => !(event in auditEvents && done && done.type in auditTypes))
      .map((event) => `${event} of ${done?.type} (first_day.${at}.done)`),
  )

const namedTwice = (details: ModuleBuild): [what: string, names: string[]][] => [
  ['collection', repeated(details.collections.map(({ name }) => name))],
  ['tab', repeated((details.tabs ?? []).map(tabPlace))],
  ['flag', repeated((details.flags ?? []).map(({ id }) => id))],
  ['setting', repeated((details.settings ?? []).map(({ name }) => name))],
  ['column', repeated((details.columns ?? []).map(({ id }) => id))],
  ['notice', repeated((details.notices ?? []).map(({ id }) => id))],
  ['server', repeated((details.backends ?? []).map(({ name }) => name))],
  ['host of images', repeated(details.images ?? [])],
]

const repeated = (names: readonly string[]) => names.filter((name, at) => names.indexOf(name) < at)
