import { linkTo } from '../../e2e/outbox.ts'
import { emailOf, password } from '../../e2e/people.ts'
import type { Journey } from '../walker.ts'

/** Who is invited, by the administrator's language. */
const colleagues = {
  en: { first_name: 'Rokia', last_name: 'Sidibé', email: 'rokia.sidibe@portal.example' },
  fr: { first_name: 'Nana', last_name: 'Kouyaté', email: 'nana.kouyate@portal.example' },
}
const chosenPassword = 'hippo-Kayes-93-river'

export const administrator: Journey = {
  name: 'an administrator invites a person, gives her a role, and she signs in',
  async steps(walk) {
    const me = await walk()
    const { page, say } = me
    const colleague = colleagues[me.device.language]
    await me.signsIn(emailOf('admin'), password)
    await me.goes('/admin/users')
    await me.click(page.getByRole('button', { name: say('Add user') }))
    const form = page.getByRole('dialog', { name: say('Add user') })
    for (const [name, text] of Object.entries(colleague)) await me.fill(form.locator(`[name=${name}]`), text)
    for (const name of ['user_title', 'gender', 'type']) await me.choose(form.locator(`[name=${name}]`), 1)
    await me.sees(form, 'the form')
    await me.click(form.getByRole('button', { name: say('Add user') }))

    const name = `${colleague.first_name} ${colleague.last_name}`
    await me.click(page.getByRole('button', { name: say('Actions for {name}', { name }) }))
    await me.click(page.getByRole('menuitem', { name: say('Assign role') }))
    const giving = page.getByRole('dialog', { name: say('Assign role') })
    await me.choose(giving.getByRole('combobox'), 1)
    await me.click(giving.getByRole('button', { name: say('Assign role') }))
    await me.leaves(giving)
    await me.sees(page.getByRole('row').filter({ hasText: name }), 'the list with the invited person')

    const her = await walk()
    await her.open(await linkTo(colleague.email))
    await her.fill(her.page.getByLabel(say('New password')), chosenPassword)
    await her.click(her.page.getByRole('button', { name: say('Set password') }))
    await her.sees(her.page.getByRole('status'), 'the password is set')
    await her.signsIn(colleague.email, chosenPassword)
  },
}
