import { confirmButton } from '../../e2e/cohorts.ts'
import { emailOf, password } from '../../e2e/people.ts'
import type { Journey } from '../walker.ts'
import { listNames } from './officer.ts'

export const approver: Journey = {
  name: 'an approver approves that list, from the bell to the end of the round',
  async steps(walk) {
    const me = await walk()
    const { page, say } = me
    await me.signsIn(emailOf('approver'), password)
    await me.click(
      page.getByRole('banner').getByRole('button', { name: new RegExp(`^${say('Notifications')}`) }),
    )
    const letter = page.getByRole('dialog').getByRole('link', { name: listNames[me.device.language] })
    await me.sees(letter, 'the bell')
    await me.click(letter.first())
    await me.sees(page.getByRole('table', { name: say('Master list') }).locator('tbody td'), 'the summary')
    await me.click(page.getByRole('button', { name: say('Approve Transfer List') }))
    const dialog = page.getByRole('dialog', { name: say('Approve Transfer List') })
    await me.sees(confirmButton(dialog), 'what is approved')
    for (const box of await dialog.getByRole('checkbox').all()) await me.click(box)
    await me.click(confirmButton(dialog))
    await me.sees(page.getByText(say('Round {0} has ended', { 0: 1 })), 'the round')
  },
}
