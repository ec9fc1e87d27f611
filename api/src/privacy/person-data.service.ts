import {
  type Erasure,
  type PersonData,
  type PersonKind,
  personKinds,
} from '@portal/contracts/access/person-data'
import { fill, fillText, type Locale } from '@portal/contracts/sentences'
import type { Db } from '../kit/database/db.ts'
import { invalid, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { barsToEnd, casesNaming, roundsToCome } from './erasable.service.ts'
import { latestErasure } from './erasure-requests.service.ts'
import { say } from './messages.ts'
import { findCases, findPerson, type Person } from './person.service.ts'
import { traces } from './traces.ts'

export type NamedRecord = { kind: string; id: number }

/** The person of an address, with the cases about her: of those that `asking` may read or was shown. */
export async function personAt(
  db: Db,
  { kind, id }: NamedRecord,
  caseNumbers: string[],
  asking: Pick<Actor, 'id' | 'can'>,
  shown: string[] = [],
): Promise<{ kind: PersonKind; id: number; person: Person }> {
  const by = kindOf(kind)
  const { ids, missing } = await findCases(db, caseNumbers, asking, shown)
  if (missing) throw invalid({ cases: fillText(say.noCase, missing) })
  const person = await findPerson(db, { by, id }, ids)
  if (!person) throw notFound()
  return { kind: by, id, person }
}

/** The numbers of cases that the page of a person shows, also to whoever may not read them. */
export async function shownCases(db: Db, { kind, id }: NamedRecord): Promise<string[]> {
  const person = await findPerson(db, { by: kindOf(kind), id })
  return person ? casesNaming(db, person) : []
}

function kindOf(kind: string): PersonKind {
  const by = personKinds.find((each) => each === kind)
  if (!by) throw notFound()
  return by
}

type Read = { person: Person | undefined; page: PersonData | null; erasure: Erasure | null }

/** Whom a page is about, what the portal holds of such people, and what stands against an erasure. */
export async function readPersonData(db: Db, locale: Locale, named: NamedRecord): Promise<Read> {
  const [kind, id] = [kindOf(named.kind), named.id]
  const [person, erasure] = await Promise.all([
    findPerson(db, { by: kind, id }),
    latestErasure(db, locale, { kind, id }),
  ])
  if (!person && !erasure) throw notFound()
  return { person, page: person ? await pageOf(db, locale, { kind, id, person }) : null, erasure }
}

async function pageOf(
  db: Db,
  locale: Locale,
  { kind, id, person }: { kind: PersonKind; id: number; person: Person },
): Promise<PersonData> {
  const [naming, bars, rounds] = await Promise.all([
    casesNaming(db, person),
    barsToEnd(db, person),
    roundsToCome(db, person),
  ])
  return {
    kind,
    id,
    name: person.name,
    naming,
    parts: partsIn(locale),
    bars: bars.map((bar) => fill(bar, locale)),
    rounds: rounds.map(({ name, rounds: count }) => fill(say.round, locale, name, count)),
  }
}

/** The parts of `traces` in one language, each with what stays of it. */
const partsIn = (locale: Locale): PersonData['parts'] =>
  [...Map.groupBy(traces, ({ what }) => what)].map(([what, tables]) => ({
    what: fill(what, locale),
    stays: [...new Set(tables.flatMap(({ stays = [] }) => [stays].flat().map((text) => fill(text, locale))))],
  }))
