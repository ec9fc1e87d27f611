import { row } from '../../e2e/database.ts'
import { emailOf, password } from '../../e2e/people.ts'
import type { Journey } from '../walker.ts'

/** A girl whose name nobody shares, and how somebody in a hurry searches for it: the beginnings of both words, folded. */
const someGirl = (offset: number) =>
  row<{ first_name: string; last_name: string; search: string }>(
    `select min(u.first_name) as first_name, min(u.last_name) as last_name,
       left(lower(min(u.last_name)), 4) || ' ' || left(lower(min(u.first_name)), 5) as search
     from students s join users u on u.id = s.user_id where u.gender = 'female'
     group by left(lower(u.last_name), 4), left(lower(u.first_name), 5)
     having count(*) = 1 order by 3 offset $1 limit 1`,
    offset,
  )

export const schoolOfficer: Journey = {
  name: 'a school officer finds a girl by parts of her name and corrects her admission number',
  async steps(walk) {
    const me = await walk()
    const { page, say } = me
    const girl = await someGirl(me.device.language === 'en' ? 0 : 1)
    const name = `${girl.first_name} ${girl.last_name}`
    await me.signsIn(emailOf('school'), password)
    await me.goes('/admin/schools')
    await me.goes('/admin/schools/students')
    await me.sees(page.getByRole('heading', { level: 1, name: say('Students') }))
    await me.fill(page.getByRole('main').getByRole('searchbox').first(), girl.search)
    const actions = page.getByRole('button', { name: say('Actions for {name}', { name }) })
    await me.sees(actions, 'the girl in the list')
    await me.click(actions)
    await me.click(page.getByRole('menuitem', { name: say('Edit'), exact: true }))
    const form = page.getByRole('dialog', { name: say('Edit student') })
    await me.fill(form.locator('[name=admission_number]'), 'ADM-2026-17')
    await me.sees(form, 'the form')
    await me.click(form.locator('button[type=submit]'))
    await me.leaves(form)
    await me.sees(page.locator('.toast'), 'the list again')
  },
}
