import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { StoredUpload } from '../kit/files/files.ts'
import type { Storage } from '../kit/files/storage.ts'

/** Writes a one-page PDF with a few lines of text. Returns it like a received upload. */
export async function writePaper(
  storage: Storage,
  name: string,
  lines: readonly string[],
): Promise<StoredUpload> {
  const content = paper(lines)
  const path = await storage.temp()
  await writeFile(path, content, { mode: 0o600 })
  const sha256 = createHash('sha256').update(content).digest()
  return { name, size: content.length, type: 'application/pdf', path, sha256 }
}

/** The smallest PDF that every reader opens: catalogue, pages, page, text, font, and the table of their offsets. */
function paper(lines: readonly string[]): Buffer {
  const text = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n')
  const stream = `BT /F1 12 Tf 20 TL 72 760 Td\n${text}\nET`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${Buffer.byteLength(stream, 'latin1')}>>stream\n${stream}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  ]
  let file = '%PDF-1.4\n'
  const places: number[] = []
  objects.forEach((object, k) => {
    places.push(Buffer.byteLength(file, 'latin1'))
    file += `${k + 1} 0 obj${object}endobj\n`
  })
  const start = Buffer.byteLength(file, 'latin1')
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  file += `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file.replaceAll('’', '\u0092'), 'latin1')
}
