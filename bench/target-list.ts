import { readFileSync } from 'node:fs'
import { workbookOf } from '../api/test/imports/workbooks.ts'

const girls = [
  'Awa',
  'Fatoumata',
  'Mariam',
  'Kadiatou',
  'Aïssata',
  'Oumou',
  'Djénéba',
  'Salimata',
  'Rokia',
  'Assétou',
]
const families = [
  'Traoré',
  'Coulibaly',
  'Diarra',
  'Keïta',
  'Dembélé',
  'Koné',
  'Sissoko',
  'Sidibé',
  'Cissé',
  'Touré',
]
const headings = [
  'receiver_first_name',
  'receiver_last_name',
  'receiver_phone_number',
  'student_code',
  'amount',
]

/**
 * A target list of the first `count` students of `addPeople`, in the form that LibreOffice writes: shared strings, cells
 * with addresses and styles. LibreOffice itself is not used, so that the benchmark needs nothing but Node.
 */
export function targetListFile(count: number): File {
  const strings = new Map<string, number>()
  const shared = (text: string) => {
    const index = strings.get(text) ?? strings.size
    strings.set(text, index)
    return index
  }
  const row = (n: number, cells: (string | number)[]) =>
    `<row r="${n}" customFormat="false" ht="12.8" hidden="false" customHeight="false" outlineLevel="0" collapsed="false">${cells
      .map((cell, column) => {
        const at = `r="${'ABCDE'[column]}${n}" s="0"`
        return typeof cell === 'number'
          ? `<c ${at} t="n"><v>${cell}</v></c>`
          : `<c ${at} t="s"><v>${shared(cell)}</v></c>`
      })
      .join('')}</row>`
  const body = Array.from({ length: count }, (_, n) =>
    row(n + 2, [
      girls[n % girls.length] ?? '',
      families[Math.floor(n / girls.length) % families.length] ?? '',
      `+223 ${7 - Math.floor(n / 100_000)}${String(n % 100_000).padStart(5, '0')}${10 + (n % 90)}`,
      `KYS-${String(n + 1).padStart(6, '0')}`,
      10_000 + (n % 5) * 500,
    ]),
  )
  const rows = [row(1, headings), ...body].join('')
  const items = [...strings.keys()].map((text) => `<si><t xml:space="preserve">${text}</t></si>`).join('')
  const path = workbookOf(rows, {
    strings: `<sst count="${count * 4}" uniqueCount="${strings.size}">${items}</sst>`,
  })
  return new File([readFileSync(path)], 'target-list.xlsx', {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  })
}
