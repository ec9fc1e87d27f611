import { drawInShell } from '@portal/screens/test-host'
import { click, eventually, named } from '@portal/ui/test-render'
import type { ReactNode } from 'react'
import { expect } from 'vitest'

const lists = ['regions', 'cercles', 'academies', 'caps', 'partner_types', 'employment_types', 'school_types']
const options = Object.fromEntries([...lists, 'class_levels', 'languages'].map((name) => [name, []]))
const names = { first_name: 'Aïssata', last_name: 'Diallo' }
const school = { id: 2, name: 'Coura', admin_code: 'ML-0007', start_date: null }
const user = { id: 5, ...names, email: null, gender: null, date_of_birth: null }

/** Draws a list with one person for somebody who may erase people and not export them, and follows her to the person's data. */
export async function findsPersonalData(page: ReactNode, list: string, row: object, link: string) {
  const data = [{ user, ...names, school, ...row }]
  const answer = { [list]: { data, current_page: 1, last_page: 1, per_page: 15, total: 1 } }
  const { end } = await drawInShell(
    page,
    ({ url }) => ({ body: url.includes('/list') ? answer : options }),
    '/list',
    ['people.export'],
  )
  await eventually(() => expect(named('Actions for Aïssata Diallo')).toBeTruthy())
  await click(named('Actions for Aïssata Diallo'))
  const item = () =>
    [...document.querySelectorAll('[role=menuitem]')].find((each) => each.textContent === 'Personal data')
  await eventually(() => expect(item()?.getAttribute('href')).toBe(link))
  await end()
}
