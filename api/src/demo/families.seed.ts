import { usualAge } from '@portal/contracts/registers/school-age'
import type { Chance } from './chance.ts'
import { familyName, type Person, personOf, type Roots, rootsIn } from './people.ts'
import type { DemoSchool, DemoSize } from './schools.seed.ts'

export type DemoGuardian = Person & {
  parent_assigned_id: string
  contact_1: string
  contact_2: string | null
  displaced_or_resident: 'displaced' | 'resident'
  is_handicap: boolean
  profession: string
  boys_in_f1: number
  girls_in_f1: number
}
export type Disability = 'no_difficulty' | 'some_difficulty' | 'lot_of_difficulty' | 'cannot_do'
export type DemoStudent = Person & {
  /** Indexes in the lists of guardians, schools and classes. */
  guardian: number
  school: number
  class: number
  student_code: string
  student_assigned_id: string
  admission_number: string
  current_class_level: string
  date_of_birth: string
  start_date: string
  language_spoken: string
  maternal_status: 'none' | 'pregnant' | 'mother' | 'pregnant_mother'
  disability: Record<(typeof functions)[number], Disability>
}
export type DemoClass = { school: number; name: string; level: string }
export type Families = { classes: DemoClass[]; guardians: DemoGuardian[]; students: DemoStudent[] }

/** The functions for which a disability is recorded. */
export const functions = [
  'vision',
  'hearing',
  'mobility',
  'cognition',
  'selfcare',
  'communication',
  'other',
] as const

const studentTotals: Record<DemoSize, number> = { full: 15_000, small: 1_000 }
const professions = [
  'Cultivatrice',
  'Ménagère',
  'Commerçante',
  'Éleveur',
  'Cultivateur',
  'Commerçant',
  'Pêcheur',
  'Tailleur',
  'Teinturière',
  'Maçon',
  'Chauffeur',
  'Potière',
  'Menuisier',
  'Infirmière',
  'Sans emploi',
]
/** Endings of numbers that the sandbox agency refuses or pays slowly. */
const stories = ['02', '03', '04', '05', '06']

/** Makes girls with one guardian each; sisters share theirs. They fill the schools. All dates are before `today`. */
export function makeFamilies(
  chance: Chance,
  phone: (country: DemoSchool['country'], ending?: string) => string,
  schools: readonly DemoSchool[],
  size: DemoSize,
  today: string,
): Families {
  const families: Families = { classes: [], guardians: [], students: [] }
  const counts = shareOut(chance, schools.length, studentTotals[size])
  const numbers = new Map<string, number>()
  const numberIn = (letters: string) => {
    const number = (numbers.get(letters) ?? 1000) + 1
    numbers.set(letters, number)
    return number
  }
  schools.forEach((school, at) => {
    const first = families.classes.length
    for (const level of school.levels) families.classes.push({ school: at, name: level, level })
    const roots = () => rootsIn(chance, school.country, school.region)
    for (let left = counts[at] ?? 0; left > 0; ) {
      const family = roots()
      const guardian = families.guardians.length
      families.guardians.push(makeGuardian(chance, phone, school, family, guardian, size))
      const sisters = Math.min(left, chance.percent(62) ? 1 : chance.percent(75) ? 2 : 3)
      for (let k = 0; k < sisters; k++) {
        const place = chance.whole(0, school.levels.length - 1)
        const level = school.levels[place] ?? ''
        const number = numberIn(school.letters)
        const person = childOf(chance, family, families.guardians[guardian])
        families.students.push({
          ...person,
          guardian,
          school: at,
          class: first + place,
          student_code: `${school.letters}-${number}`,
          student_assigned_id: `${school.admin_code}/${number}`,
          ...enrolment(chance, level, number, today),
          language_spoken: chance.percent(90) ? family.language : 'francais',
          ...health(chance, ageAt(level)),
        })
      }
      left -= sisters
    }
  })
  return families
}

function makeGuardian(
  chance: Chance,
  phone: (country: DemoSchool['country'], ending?: string) => string,
  school: DemoSchool,
  roots: Roots,
  at: number,
  size: DemoSize,
): DemoGuardian {
  // A few guardians have a number that the agency refuses or pays slowly: four of each ending in the full demo, one or
  // two in the small one.
  const every = size === 'full' ? 500 : 125
  const story = at % every === 20 ? stories[Math.floor(at / every) % stories.length] : undefined
  return {
    ...personOf(chance, roots, chance.percent(58) ? 'female' : 'male'),
    parent_assigned_id: `P-${school.letters}-${String(at + 1).padStart(5, '0')}`,
    contact_1: phone(school.country, story),
    contact_2: chance.percent(25) ? phone(school.country) : null,
    displaced_or_resident: chance.percent(12) ? 'displaced' : 'resident',
    is_handicap: chance.percent(4),
    profession: chance.early(professions),
    boys_in_f1: chance.whole(0, 3),
    girls_in_f1: chance.whole(1, 4),
  }
}

function childOf(chance: Chance, roots: Roots, guardian: Person | undefined): Person {
  return personOf(chance, roots, 'female', guardian && familyName(chance, roots, guardian))
}

const ageAt = (level: string) => usualAge(level) ?? 12

function enrolment(chance: Chance, level: string, number: number, today: string) {
  const year = Number(today.slice(0, 4))
  const begun = Number(academicYear(today).slice(0, 4))
  const born = year - ageAt(level) - chance.early([0, 0, 1, 2])
  const day = `${String(chance.whole(1, 12)).padStart(2, '0')}-${String(chance.whole(1, 28)).padStart(2, '0')}`
  const start = begun - chance.early([0, 1, 2])
  return {
    current_class_level: level,
    admission_number: `${start}-${String(number).padStart(5, '0')}`,
    date_of_birth: `${born}-${day}`,
    start_date: `${start}-10-${String(chance.whole(1, 15)).padStart(2, '0')}`,
  }
}

function health(chance: Chance, age: number): Pick<DemoStudent, 'maternal_status' | 'disability'> {
  const disability = Object.fromEntries(
    functions.map((name) => [name, difficulty(chance)]),
  ) as DemoStudent['disability']
  return {
    maternal_status:
      age >= 14 && chance.percent(4) ? chance.early(['mother', 'pregnant', 'pregnant_mother']) : 'none',
    disability,
  }
}

const difficulty = (chance: Chance): Disability =>
  chance.percent(98.5) ? 'no_difficulty' : chance.early(['some_difficulty', 'lot_of_difficulty', 'cannot_do'])

/** The school year of a day. A new one begins in October. */
export function academicYear(today: string): string {
  const year = Number(today.slice(0, 4)) - (Number(today.slice(5, 7)) >= 10 ? 0 : 1)
  return `${year}-${year + 1}`
}

/** Splits `total` into parts of different size that add up exactly. */
function shareOut(chance: Chance, parts: number, total: number): number[] {
  const weights = Array.from({ length: parts }, () => chance.whole(40, 120))
  const sum = weights.reduce((a, b) => a + b, 0)
  let before = 0
  return weights.map((weight, at) => {
    before += weight
    const upTo = Math.round((before * total) / sum)
    const from = Math.round(((before - weight) * total) / sum)
    return at === parts - 1 ? total - from : upTo - from
  })
}
