import { attendanceSheet } from './attendance.sheet.ts'
import type { SheetKind } from './imports.ts'
import { locationsSheet } from './locations.sheet.ts'
import { parentsSheet } from './parents.sheet.ts'
import { partnersSheet } from './partners.sheet.ts'
import { schoolsSheet } from './schools.sheet.ts'
import type { Sheet } from './sheet.ts'
import { studentsSheet } from './students.sheet.ts'
import { targetListSheet } from './target-list.sheet.ts'
import { teachersSheet } from './teachers.sheet.ts'

/** The sheet of every kind of import but that of modules' records, with the columns that this person may fill; a target list's has those of a bank. */
export function sheetOf(kind: SheetKind, may: { sensitive: boolean }): Sheet {
  const sheets: Record<SheetKind, Sheet> = {
    locations: locationsSheet,
    schools: schoolsSheet,
    partners: partnersSheet,
    teachers: teachersSheet,
    students: studentsSheet(may.sensitive),
    parents: parentsSheet,
    'target-list': targetListSheet('bank'),
    attendance: attendanceSheet,
  }
  return sheets[kind]
}
