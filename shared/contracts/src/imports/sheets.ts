import { attendanceSheet } from '../attendance/attendance.sheet.ts'
import type { SheetKind } from '../imports.ts'
import { locationsSheet } from '../registers/locations.sheet.ts'
import { parentsSheet } from '../registers/parents.sheet.ts'
import { partnersSheet } from '../registers/partners.sheet.ts'
import { schoolsSheet } from '../registers/schools.sheet.ts'
import { studentsSheet } from '../registers/students.sheet.ts'
import { teachersSheet } from '../registers/teachers.sheet.ts'
import { targetListSheet } from '../transfers/target-list.sheet.ts'
import type { Sheet } from './sheet.ts'

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
