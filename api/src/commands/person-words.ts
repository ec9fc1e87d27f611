import { parseArgs } from 'node:util'
import { SettingsFault } from '../kit/settings.ts'
import type { PersonName } from '../privacy/person.service.ts'

const strings = { type: 'string', multiple: true, default: [] as string[] } as const
const options = {
  student: { type: 'string' },
  guardian: { type: 'string' },
  user: { type: 'string' },
  to: { type: 'string' },
  case: strings,
  'other-case': strings,
  'stop-paying': { type: 'boolean', default: false },
} as const

/** Reads the words behind `person:export` and `person:erase`: exactly one person, and what the owner decided. */
export function readPersonWords(command: string) {
  const usage = `Write: npm run ${command} -- --student CODE (or --guardian ID, or --user E-MAIL)`
  let values: ReturnType<typeof parse>
  try {
    values = parse()
  } catch {
    throw new SettingsFault(usage)
  }
  const names = (['student', 'guardian', 'user'] as const).flatMap((by): PersonName[] => {
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
