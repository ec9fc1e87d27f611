import type { Chance } from './chance.ts'
import type { DemoClass } from './families.seed.ts'
import { type Person, personOf, rootsIn } from './people.ts'
import type { DemoSchool } from './schools.seed.ts'

export type DemoTeacher = Person & {
  school: number
  user_title: 'mr' | 'mrs' | 'miss'
  email: string | null
  phone_1: string
  start_date: string
  employment_type: string
  /** Indexes in the list of classes. */
  classes: number[]
}

/** Makes the teachers of every school, with at least one for each class. */
export function makeTeachers(
  chance: Chance,
  phone: (country: DemoSchool['country']) => string,
  schools: readonly DemoSchool[],
  classes: readonly DemoClass[],
  today: string,
): DemoTeacher[] {
  const teachers: DemoTeacher[] = []
  const year = Number(today.slice(0, 4))
  schools.forEach((school, at) => {
    const own = classes.flatMap((one, place) => (one.school === at ? [place] : []))
    const count = own.length + chance.whole(1, 4)
    for (let k = 0; k < count; k++) {
      const person = personOf(
        chance,
        rootsIn(chance, school.country, school.region),
        chance.percent(38) ? 'female' : 'male',
      )
      const second = chance.percent(40) ? own[(k + 1) % own.length] : undefined
      const first = own[k % own.length]
      teachers.push({
        ...person,
        school: at,
        user_title: person.gender === 'male' ? 'mr' : chance.percent(70) ? 'mrs' : 'miss',
        email: chance.percent(35) ? `${mailName(person)}.${teachers.length + 1}@ecole.example` : null,
        phone_1: phone(school.country),
        start_date: `${year - chance.whole(1, 18)}-10-01`,
        employment_type: chance.early([
          'civil_servant',
          'local_authority',
          'contract',
          'community',
          'volunteer',
        ]),
        classes: [...new Set([first, second].filter((place) => place !== undefined))],
      })
    }
  })
  return teachers
}

const mailName = ({ first_name, last_name }: Person) =>
  `${first_name}.${last_name}`
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z.]/g, '')
    .toLowerCase()
