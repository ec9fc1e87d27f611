import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { caseStage, file } from './case-stage.ts'

const portal = await startPortal()
const { filer, form } = await caseStage(portal)

const part = (text: string) =>
  Buffer.concat([Buffer.from('stream\n'), deflateSync(Buffer.from(text)), Buffer.from('endstream ')])

test('a person cannot hide a program in a pdf behind ten thousand other parts', async () => {
  const small = part('')
  const parts = [...Array.from({ length: 10_000 }, () => small), part('<</S/JavaScript/JS(app.alert(1))>>')]
  const content = Buffer.concat([Buffer.from('%PDF-1.4\n'), ...parts, Buffer.from('%%EOF\n')])
  const refused = await filer.upload('/admin/cases', { ...form, file: file('letter.pdf', content) })
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['file']])
  expect((await portal.owner.query('select from cases')).rowCount).toBe(0)
})
