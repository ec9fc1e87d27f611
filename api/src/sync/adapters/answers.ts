import { attendanceSheet } from '@portal/contracts/attendance/attendance.sheet'
import { folded } from '@portal/contracts/imports/nearest'
import { readCell } from '@portal/contracts/imports/read-cell'
import type { Json, RawMessage } from './adapter.ts'

/** One answer of a form. `path` has the names of the groups around the question, and then its own name. */
export type Answer = { path: string[]; value: unknown }

/**
 * The names of questions that are recognised. Case, accents and punctuation are ignored. The name with all its groups
 * is tried first, so that `teachers/present` does not match `present`.
 */
const names = {
  school: [
    'school admin code',
    'school code',
    'admin code',
    'school id',
    'school',
    'code ecole',
    'code etablissement',
    'ecole',
  ],
  date: ['date', 'report date', 'attendance date', 'day', 'date presence', 'date de presence', 'jour'],
  class: ['class', 'class name', 'grade', 'classe', 'niveau'],
  enrolled: ['learners enrolled', 'students enrolled', 'enrolled', 'eleves inscrits', 'inscrits', 'effectif'],
  girls_enrolled: ['girls enrolled', 'filles inscrites'],
  boys_enrolled: ['boys enrolled', 'garcons inscrits'],
  present: ['learners present', 'students present', 'present', 'eleves presents', 'presents'],
  girls_present: ['girls present', 'filles presentes'],
  boys_present: ['boys present', 'garcons presents'],
  teachers_enrolled: ['teachers enrolled', 'teachers', 'enseignants inscrits', 'enseignants'],
  teachers_present: ['teachers present', 'enseignants presents'],
  absent: ['absent codes', 'codes absents', 'codes des absents'],
  action: ['action'],
} as const
type Name = keyof typeof names

const byWord = new Map(
  Object.entries(names).flatMap(([name, words]) =>
    words.map((word) => [folded(word), name as Name] as const),
  ),
)

/** The class of a report without a class. Its learners are those of the whole school. */
export const wholeSchool = 'ALL'

/** Makes a report from the answers of a form. `day` is used if the answers have no day. */
export function reportOf(
  answers: readonly Answer[],
  day: string,
  sender: Json,
): Pick<RawMessage, 'action' | 'data'> {
  const found = new Map<Name, unknown>()
  for (const { path, value } of answers) {
    const name = nameOf(path)
    if (name && !found.has(name) && value !== null && value !== undefined && value !== '')
      found.set(name, value)
  }
  const learners = group({
    enrolled: found.get('enrolled') ?? sum(found.get('girls_enrolled'), found.get('boys_enrolled')),
    present: found.get('present') ?? sum(found.get('girls_present'), found.get('boys_present')),
    absent_codes: codesOf(found.get('absent')),
  })
  const teachers = group({ enrolled: found.get('teachers_enrolled'), present: found.get('teachers_present') })
  const data = group({
    school_admin_code: found.get('school'),
    date: found.get('date') ?? day,
    class: found.get('class') ?? (learners && wholeSchool),
    learners,
    teachers,
    ...sender,
  })
  const action = String(found.get('action') ?? 'create').toLowerCase()
  return { action: action as NonNullable<RawMessage['action']>, data: data ?? {} }
}

function nameOf(path: string[]): Name | undefined {
  for (let from = 0; from < path.length; from++) {
    const name = byWord.get(folded(path.slice(from).join(' ')))
    if (name) return name
  }
  return undefined
}

/** Removes missing values; undefined if all are missing. */
function group(fields: Json): Json | undefined {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return given.length > 0 ? Object.fromEntries(given) : undefined
}

/** Adds up girls and boys. What is no number, or can be read as two, is kept, so that processing reports it. */
function sum(girls: unknown, boys: unknown): unknown {
  if (girls === undefined || boys === undefined) return girls ?? boys
  const counts = [girls, boys].flatMap((one) => {
    const read = readCell(attendanceSheet.columns.learners_present, String(one))
    return 'value' in read && read.value !== null ? Number(read.value) : []
  })
  return counts.length === 2 ? counts.reduce((a, b) => a + b, 0) : [girls, boys].join(' + ')
}

function codesOf(written: unknown): unknown {
  if (typeof written !== 'string') return written
  return written.split(/[\s,;]+/).filter(Boolean)
}
