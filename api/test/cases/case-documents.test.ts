import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { caseStage, file, jpeg, pdf, png } from './case-stage.ts'

const portal = await startPortal()
const { reviewer, filer, form, fileCase } = await caseStage(portal)
const details = async (id: number) => (await reviewer.get(`/admin/cases/${id}/details`)).body

test('a person’s photo is kept upright, without the place and author in its metadata', async () => {
  const { id } = await fileCase(filer, { file: file('photo.jpg', jpeg) })
  const [photo] = (await details(id)).complain.documents
  const { bytes } = await filer.get(photo.download_url)
  expect(jpeg.toString('latin1')).toMatch(/GPS/)
  expect(bytes.toString('latin1')).not.toMatch(/GPS|Fatoumata|Exif/)
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 20, height: 40 })
  const drawn = await fileCase(filer, { file: file('drawing.png', png(10, 10)) })
  const [drawing] = (await details(drawn.id)).complain.documents
  const kept = (await filer.get(drawing.download_url)).bytes
  expect(kept.toString('latin1')).not.toContain('Fatoumata')
  expect(await sharp(kept).metadata()).toMatchObject({ format: 'png', width: 10, height: 10 })
})

test('a photo of a good camera is kept at a size that a slow line can carry', async () => {
  const large = await sharp({ create: { width: 5000, height: 3000, channels: 3, background: '#a63' } })
    .jpeg()
    .toBuffer()
  const { id } = await fileCase(filer, { file: file('photo.jpg', large) })
  const [photo] = (await details(id)).complain.documents
  const { bytes } = await filer.get(photo.download_url)
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 3200, height: 1920 })
})

test('what somebody hid behind the end of a document, or before its head, is not kept', async () => {
  const hidden = Buffer.from('PK\u0003\u0004 names of all students')
  const hidings: [string, Buffer, Buffer][] = [
    ['photo.jpg', Buffer.concat([jpeg, hidden]), Buffer.from('ffd9', 'hex')],
    ['drawing.png', Buffer.concat([png(10, 10), hidden]), png(10, 10).subarray(-12)],
    ['letter.pdf', Buffer.concat([hidden, pdf, hidden]), Buffer.from('%%EOF\n')],
  ]
  for (const [name, content, end] of hidings) {
    const { id } = await fileCase(filer, { file: file(name, content) })
    const [kept] = (await details(id)).complain.documents
    const { bytes } = await filer.get(kept.download_url)
    expect([name, bytes.includes(hidden)]).toEqual([name, false])
    expect([name, bytes.subarray(-end.length)]).toEqual([name, end])
    expect(kept.size).toBe(bytes.length)
  }
})

test('a person who chooses a pdf with programs or files in it reads what to do', async () => {
  const around = (inner: Buffer | string) =>
    Buffer.concat([Buffer.from('%PDF-1.4\n1 0 obj'), Buffer.from(inner), Buffer.from('endobj\n%%EOF\n')])
  const packed = Buffer.concat([
    Buffer.from('<</Type/ObjStm/Filter/FlateDecode>>stream\n'),
    deflateSync(Buffer.from('<</S/JavaScript/JS(app.alert(1))>>')),
    Buffer.from('\nendstream '),
  ])
  const bomb = Buffer.concat([
    Buffer.from('<</Filter/FlateDecode>>stream\r\n'),
    deflateSync(Buffer.alloc(60_000_000)),
    Buffer.from('\nendstream '),
  ])
  for (const inner of [
    '<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>',
    '<</S/J#61vaScript>>',
    '<</S/Launch/F(cmd.exe)>>',
    '<</Names<</EmbeddedFiles 3 0 R>>>>',
    '<</Encrypt 4 0 R>>',
    packed,
    bomb,
  ]) {
    const refused = await filer.upload('/admin/cases', { ...form, file: file('letter.pdf', around(inner)) })
    expect(refused.status).toBe(422)
    expect(refused.body.errors.file).toEqual([
      'This pdf is protected, or contains programs or attached files. Print it as a new pdf, and choose that one.',
    ])
  }
  const page = Buffer.concat([
    Buffer.from('<</Filter/FlateDecode>>stream\n'),
    deflateSync(Buffer.from('BT (About JavaScript) Tj ET')),
    Buffer.from('\nendstream '),
  ])
  const accepted = await filer.upload('/admin/cases', { ...form, file: file('page.pdf', around(page)) })
  expect(accepted.status).toBe(200)
})

test('a person’s pdf whose streams end in damage is looked into up to there, and never for longer than a whole one', async () => {
  /** What readers show of it, with a wrong checksum. */
  const damaged = (content: Buffer) => {
    const packed = deflateSync(content)
    return Buffer.concat([Buffer.from('stream\n'), packed.subarray(0, -4), Buffer.from('0000endstream ')])
  }
  const around = (...inner: Buffer[]) =>
    Buffer.concat([Buffer.from('%PDF-1.4\n'), ...inner, Buffer.from('%%EOF\n')])
  for (const content of [
    around(damaged(Buffer.from('<</S/JavaScript/JS(app.alert(1))>>'))),
    around(...Array.from({ length: 3 }, () => damaged(Buffer.alloc(20_000_000)))),
  ]) {
    const refused = await filer.upload('/admin/cases', { ...form, file: file('letter.pdf', content) })
    expect(refused).toMatchObject({ status: 422, body: { errors: { file: [expect.any(String)] } } })
  }
})

test('a person whose document is too large or of a wrong kind reads why, and no case is filed', async () => {
  const limit = 2_097_152
  const padded = (size: number) =>
    Buffer.concat([pdf.subarray(0, -7), Buffer.alloc(size - pdf.length, 32), pdf.subarray(-7)])
  const before = (await portal.owner.query('select count(*)::int as n from cases')).rows[0].n
  const refusals: [string, Buffer, RegExp][] = [
    ['page.png', Buffer.from('<html><script>alert(1)</script></html>'), /not a jpg, png or pdf/],
    ['drawing.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /not a jpg, png or pdf/],
    ['tool.exe', pdf, /jpg, jpeg, png or pdf/],
    ['huge.png', png(30_000, 30_000), /too many pixels/],
    ['long.pdf', padded(limit + 1), /larger than 2 MB/],
    ['cut.jpg', jpeg.subarray(0, 30), /not a jpg, png or pdf/],
  ]
  for (const [name, content, sentence] of refusals) {
    const refused = await filer.upload('/admin/cases', { ...form, file: file(name, content) })
    expect([name, refused.status]).toEqual([name, 422])
    expect(refused.body.errors.file[0]).toMatch(sentence)
  }
  expect((await portal.owner.query('select count(*)::int as n from cases')).rows[0].n).toBe(before)
  expect(
    (await filer.upload('/admin/cases', { ...form, file: file('full.pdf', padded(limit)) })).status,
  ).toBe(200)
})

test('a person’s file name loses slashes, line breaks and marks that change the reading direction', async () => {
  const { id } = await fileCase(filer, { file: file('..\\..\\etc/inv\u202egnp.\r\nexe.pdf', pdf) })
  const [document] = (await details(id)).complain.documents
  expect(document.file_name).not.toMatch(/[\\/\r\n\u202e]/)
  expect(document.file_name).toMatch(/\.pdf$/)
})
