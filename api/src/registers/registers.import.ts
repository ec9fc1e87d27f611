import { registerImport } from '../imports/import-domains.service.ts'
import { locationsImport } from './locations.import.ts'
import { parentsImport } from './parents.import.ts'
import { partnersImport } from './partners.import.ts'
import { schoolsImport } from './schools.import.ts'
import { studentsImport } from './students.import.ts'
import { teachersImport } from './teachers.import.ts'

/** Registers the imports of the six registers. */
export function registerRegisterImports() {
  for (const domain of [
    locationsImport,
    schoolsImport,
    partnersImport,
    teachersImport,
    studentsImport,
    parentsImport,
  ])
    registerImport(domain)
}
