import { type Cell, cellText, column, sheet } from '@portal/contracts/imports/sheet'
import { placeName } from '@portal/contracts/registers/place-names'
import { WorkbookProblem } from '@portal/excel/limits'
import { checkHeadings, readRows } from '../excel/read.ts'
import type { SchoolDistrict } from './places.ts'

const boundarySheet = sheet({
  name: 'boundaries',
  field: 'boundaries_file',
  title: { en: 'School boundaries', fr: 'Découpage scolaire' },
  columns: {
    cap: column({
      label: { en: 'CAP or IEF', fr: 'CAP ou IEF' },
      headings: ['cap', 'ief', 'district', 'circonscription'],
      required: true,
      example: ['CAP KITA', 'CAP TOUKOTO'],
      help: { en: 'Name of the school district.', fr: 'Nom de la circonscription.' },
    }),
    academy: column({
      label: { en: 'AE or IA', fr: 'AE ou IA' },
      headings: ['ae', 'ia', 'academie', 'academy'],
      required: true,
      example: ['AE KITA', 'AE KITA'],
      help: { en: 'The academy it belongs to.', fr: 'L’académie dont elle relève.' },
    }),
    region: column({
      label: { en: 'Region', fr: 'Région' },
      headings: [],
      required: true,
      example: ['KITA', 'KITA'],
      help: { en: 'The region of the academy.', fr: 'La région de l’académie.' },
    }),
  },
})

/**
 * Reads the CAPs of an Excel file. Rows with an empty cell are only counted. Throws a WorkbookProblem if the file
 * cannot be read.
 */
export async function readBoundaries(
  path: string,
): Promise<{ districts: Omit<SchoolDistrict, 'cercle'>[]; left_out: number }> {
  const checked = await checkHeadings(path, boundarySheet)
  if ('problem' in checked)
    throw new WorkbookProblem(
      ...(checked.problem.split('|') as ConstructorParameters<typeof WorkbookProblem>),
    )
  const districts: Omit<SchoolDistrict, 'cercle'>[] = []
  let left_out = 0
  for await (const batch of readRows(path, boundarySheet)) {
    for (const { cells } of batch) {
      const [cap, academy, region] = [plain(cells.cap), plain(cells.academy), plain(cells.region)]
      if (cap && academy && region) districts.push({ cap, academy, region })
      else left_out += 1
    }
  }
  return { districts, left_out }
}

const plain = (cell: Cell | undefined) => placeName(cellText(cell))
