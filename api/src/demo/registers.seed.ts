import { chance } from './chance.ts'
import { type Families, makeFamilies } from './families.seed.ts'
import { phones } from './people.ts'
import { type DemoSchool, type DemoSize, makeSchools } from './schools.seed.ts'
import { type DemoTeacher, makeTeachers } from './teachers.seed.ts'

export type Registers = Families & { schools: DemoSchool[]; teachers: DemoTeacher[] }

// Another seed gives another demo. Tests, figures and screenshots depend on this one.
const seed = 20_251_120

/** Makes the fictitious people and schools of the demo. They are the same for the same size and day. */
export function makeRegisters(size: DemoSize, today: string): Registers {
  const phone = phones(chance(seed + 1))
  const schools = makeSchools(chance(seed + 2), size)
  const families = makeFamilies(chance(seed + 3), phone, schools, size, today)
  const teachers = makeTeachers(chance(seed + 4), phone, schools, families.classes, today)
  return { schools, teachers, ...families }
}
