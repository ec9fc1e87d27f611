import { expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { release } from './modules.ts'

const portal = await startPortal()
const { registry } = portal.context
const code = `
  const visits = { open: (girl) => { throw new Error(\`No visit of \${girl.name} in \${girl.school}\`) } }
  const say = "\\xc9l\\xe8ve introuvable"
`

test('a partner reads what her code said of an error, and not whom it named', async () => {
  const live = await release(registry, { name: 'mfe-visits', version: '1.0.0', code })
  const build = live?.modules.find(({ name }) => name === 'mfe-visits')?.build
  const officer = await portal.signedIn('schools.view')
  const admin = await portal.signedIn('modules.manage')
  const said: [string, string][] = [
    ['No visit of Awa Keïta in Kita Nord', 'No visit of … in …'],
    [
      "Cannot read properties of undefined (reading 'school')",
      "Cannot read properties of undefined (reading 'school')",
    ],
    [
      'Unexpected token \'A\', "Awa Keïta"... is not valid JSON',
      'Unexpected token \'A\', "…"... is not valid JSON',
    ],
    ['Élève introuvable: Fanta Traoré, +223 76 12 34 56, 2011-03-04', 'Élève introuvable: …'],
    ['Minified React error #418; girl 20145 answered 503', 'Minified React error #418; girl … 503'],
    ['t is not a function', 't is not a function'],
    ['react 19.3.1 does not satisfy ^18.2.0', '… 19.3.1 does not satisfy ^18.2.0'],
  ]
  const reports = said.map(([message], at) => ({
    ...{ kind: 'error', module: 'mfe-visits', version: '1.0.0', build, reason: 'crash', message },
    ...{ reference: `MF-AAAAA${at + 2}`, path: '/admin/visits' },
  }))
  expect((await officer.post('/modules/reports', { reports })).status).toBe(200)
  const { rows } = await portal.owner.query('select message from module_reports order by reference')
  expect(rows.map(({ message }) => message)).toEqual(said.map(([, kept]) => kept))
  const { errors } = (await admin.get('/admin/modules/mfe-visits/errors')).body
  expect(errors.data.map(({ message }: { message: string }) => message)).toEqual(
    said.map(([, kept]) => kept).reverse(),
  )
})
