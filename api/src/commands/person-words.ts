import { parseArgs } from 'node:util'
import { personKinds } from '@portal/contracts/access/person-data'
import type { Db } from '../kit/database/db.ts'
import { SettingsFault } from '../kit/process/settings.ts'
import { findCases, findPerson, type Person, type PersonName } from '../privacy/person.service.ts'

const strings = { type: 'string', multiple: true, default: [] as string[] } as const
const options = {
  student: { type: 'string' },
  guardian: { type: 'string' },
  teacher: { type: 'string' },
  user: { type: 'string' },
  expert: { type: 'string' },
  to: { type: 'string' },
  case: strings,
  'other-case': strings,
  'stop-paying': { type: 'boolean', default: false },
} as const

/** Reads the words behind `person:export` and `person:erase`: exactly one person, and what the owner decided. */
export function readPersonWords(command: string) {
  const usage = `Write: npm run ${command} -- --student CODE (or --guardian ID, --teacher NUMBER, --user E-MAIL, --expert E-MAIL)`
  let values: ReturnType<typeof parse>
  try {
    values = parse()
  } catch {
    throw new SettingsFault(usage)
  }
  const names = personKinds.flatMap((by): PersonName[] => {
    const name = values[by]
    return name ? [{ by, name }] : []
  })
  const [name] = names
  if (!name || names.length > 1) throw new SettingsFault(usage)
  return {
    name,
    to: values.to,
    cases: values.case,
    otherCases: values['other-case'],
    stopPaying: values['stop-paying'],
  }
}

const parse = () => parseArgs({ options }).values

/** The named person with the cases that are about her, or the sentence that says who or which is not known. */
export async function namedPerson(db: Db, wanted: PersonName, caseNumbers: string[]): Promise<Person> {
  const { ids, missing } = await findCases(db, caseNumbers)
  if (missing) throw new SettingsFault(`The portal knows no case ${missing}.`)
  const person = await findPerson(db, wanted, ids)
  if (!person) throw new SettingsFault(`The portal knows no ${wanted.by} ${wanted.name}.`)
  return person
}
