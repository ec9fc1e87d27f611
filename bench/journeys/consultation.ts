import { inviteTo } from '../../e2e/cases.ts'
import { emailOf, password } from '../../e2e/people.ts'
import type { Journey, Person } from '../walker.ts'

/** Who is asked, by the reviewer's language. */
const experts = {
  en: { first_name: 'Kadia', last_name: 'Sow', email: 'kadia.sow@conseil.example', profession: 'Lawyer' },
  fr: {
    first_name: 'Oumou',
    last_name: 'Diakité',
    email: 'oumou.diakite@conseil.example',
    profession: 'Juriste',
  },
}
const question = 'May the programme pay the grant of November again?'
const answer = 'Oui, si l’agence confirme le changement de numéro.'

/** The case that the reviewer asks about, where she takes it up again. */
let path = ''

export const reviewerAsks: Journey = {
  name: 'a reviewer asks an expert about a case',
  async steps(walk) {
    const me = await walk()
    const { page, say } = me
    await signsInAndOpensCases(me)
    await me.click(page.getByRole('button', { name: say('Open'), exact: true }))
    await me.click(page.getByRole('table').locator('tbody a[href$="/details"]').first())
    await me.click(page.getByRole('button', { name: say('Refer external input') }))
    const asking = page.getByRole('dialog', { name: say('Refer external input') })
    await me.choose(asking.locator('[name=salutation]'), 1)
    for (const [name, text] of Object.entries(experts[me.device.language]))
      await me.fill(asking.locator(`[name=${name}]`), text)
    await me.fill(asking.locator('[name=comment]'), question)
    await me.sees(asking, 'the request')
    await me.click(asking.getByRole('button', { name: say('Send request') }))
    await me.sees(page.getByText(say('AWAITING EXTERNAL INPUT')), 'the case that waits')
    path = new URL(page.url()).pathname
  },
}

export const expertAnswers: Journey = {
  name: 'an expert answers by the link of her letter',
  async steps(walk) {
    const me = await walk()
    const { page, say } = me
    await me.open(await inviteTo(experts[me.device.language].email))
    await me.sees(page.locator('[name=comment]'), 'the page of the expert')
    await me.fill(page.locator('[name=comment]'), answer)
    await me.click(page.getByRole('button', { name: say('Send feedback') }))
    await me.sees(page.getByRole('heading', { level: 1, name: say('Thank you') }), 'the receipt')
  },
}

export const reviewerResolves: Journey = {
  name: 'a reviewer reads the answer and resolves the case',
  async steps(walk) {
    const me = await walk()
    const { page, say } = me
    await signsInAndOpensCases(me)
    await me.click(page.locator(`tbody a[href="${path}"]`).first())
    await me.click(page.getByRole('button', { name: say('See Details') }))
    const details = page.getByRole('dialog')
    await me.sees(details.getByText(answer), 'the answer')
    await me.click(details.getByRole('button', { name: say('Close') }).first())
    await me.click(page.getByRole('button', { name: say('Resolve case') }).first())
    const verdict = page.getByRole('dialog', { name: say('Resolve case') })
    await me.fill(verdict.locator('[name=verdict]'), 'The grant is paid again.')
    await me.click(verdict.getByRole('button', { name: say('Deliver verdict') }))
    await me.leaves(verdict)
    await me.sees(page.getByText(say('RESOLVED')), 'the resolved case')
  },
}

async function signsInAndOpensCases(me: Person) {
  await me.signsIn(emailOf('reviewer'), password)
  await me.goes('/admin/cases')
}
