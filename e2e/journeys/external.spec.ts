import type { Page } from '@playwright/test'
import { fileCase, openCase, paper, refer } from '../cases.ts'
import { row, rows } from '../database.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'

/** The sentence as it is agreed, word for word (Cases 4.4). */
const sentence =
  "Oops! Something doesn't seem right, we encountered an issue fetching the consultation request with your invite code."

for (const { locale, language } of [
  { locale: 'en-GB', language: 'English' },
  { locale: 'fr-FR', language: 'French' },
]) {
  test.describe(() => {
    test.use({ locale })

    test(`a consultant with a wrong invite reads so in ${language}, without signing in`, async ({
      person,
      say,
    }) => {
      const consultant = await person(null, { width: 360 })
      const requests: string[] = []
      consultant.on('request', (request) => requests.push(new URL(request.url()).pathname))
      await consultant.goto('/external/cases/whatever')
      await expect(consultant.getByText(say(sentence))).toBeVisible()
      await expectAccessible(consultant, 'the external page')
      await expectNoSidewaysScroll(consultant, 'the external page')
      // Standalone: nothing of the shell, of other modules or of a session.
      expect(
        requests.filter((path) => /^\/(modules|assets)\/(?!mark\.svg)|\/api\/(?!external)/.test(path)),
      ).toEqual([])
    })
  })
}

/** A picture of noise, which hardly shrinks as PNG: several MB at 2000 by 800 pixels. */
async function photo(page: Page, name: string) {
  const text = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 2000
    canvas.height = 800
    const paper = canvas.getContext('2d') as CanvasRenderingContext2D
    const image = paper.createImageData(canvas.width, canvas.height)
    let state = 1
    for (let place = 0; place < image.data.length; place++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      image.data[place] = place % 4 === 3 ? 255 : state >>> 24
    }
    paper.putImageData(image, 0, 0)
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
  return { name, mimeType: 'image/png', buffer: Buffer.from(text, 'base64') }
}

test.describe('a consultant with an open request', () => {
  const limit = 2_097_152
  let invite: string
  let number = 0

  test.beforeEach(async ({ person }) => {
    const reviewer = await person('reviewer')
    const id = await fileCase(await person('admin'), `Asked of an expert, ${++number}`)
    await openCase(reviewer, id)
    invite = await refer(reviewer, {
      first_name: 'Kadia',
      last_name: 'Sow',
      email: `kadia.sow.${number}@conseil.example`,
      comment: 'May the programme pay again?',
    })
  })

  test('opens the refusal clean after an answer that was refused because it was empty', async ({
    person,
  }) => {
    const expert = await person(null, { width: 360 })
    await expert.goto(invite)
    await expert.getByRole('button', { name: 'Send feedback' }).click()
    await expect(expert.getByRole('alert')).toBeVisible()
    await expert.getByRole('button', { name: 'Unable to Participate' }).click()
    await expect(expert.getByRole('heading', { name: 'Unable to Participate' })).toBeFocused()
    await expect(expert.getByRole('alert')).toHaveCount(0)
    await expect(expert.locator('.has-error')).toHaveCount(0)
    await expect(expert.locator('[aria-invalid]')).toHaveCount(0)
    await expert.getByRole('button', { name: 'Go back' }).click()
    await expect(expert.getByRole('button', { name: 'Send feedback' })).toBeVisible()
    await expect(expert.locator('.has-error')).toHaveCount(0)
  })

  test('does not send her answer without a document that she has chosen, and keeps her words when the request is withdrawn', async ({
    person,
  }) => {
    const expert = await person(null, { width: 360 })
    await expert.goto(invite)
    await expert.getByRole('button', { name: 'Upload document' }).click()
    const upload = expert.getByRole('form', { name: 'Upload document' })
    await upload.locator('[name=description]').fill('Statement of the bank')
    await upload.locator('input[name=document]').setInputFiles(paper('statement.pdf'))
    await expert.locator('[name=comment]').fill('The account was closed in May.')
    await expert.getByRole('button', { name: 'Send feedback' }).click()
    await expect(expert.getByRole('alert')).toContainText('is not uploaded yet')
    await expectAccessible(expert, 'an answer that waits for a document')
    await expectNoSidewaysScroll(expert, 'an answer that waits for a document')
    await upload.getByRole('button', { name: 'Upload document' }).click()
    await expect(expert.getByText('Statement of the bank')).toBeVisible()
    await expect(expert.getByRole('status').getByText('Document uploaded')).toBeVisible()
    await expect(expert.getByRole('alert')).toHaveCount(0)

    await rows(
      'update referrals set revoked_at = now() where email = $1',
      `kadia.sow.${number}@conseil.example`,
    )
    await expert.getByRole('button', { name: 'Send feedback' }).click()
    await expect(expert.getByText(sentence)).toBeVisible()
    await expect(expert.getByRole('main')).toContainText('The account was closed in May.')
    await expectAccessible(expert, 'a request that was withdrawn')
  })

  test('reads at once that a file is too large, and sends a photo that the page made smaller', async ({
    person,
  }) => {
    const expert = await person(null, { width: 360 })
    await expert.goto(invite)
    await expect(expert.getByRole('button', { name: 'Send feedback' })).toBeEnabled()
    const sent: string[] = []
    expert.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
    const large = paper('statement.pdf')
    const pages = Buffer.concat([large.buffer, Buffer.alloc(limit + 1 - large.buffer.length, ' ')])
    const file = expert.locator('input[name=file]')
    await file.setInputFiles({ ...large, buffer: pages })
    await expect(expert.getByText('The file is larger than 2 MB.')).toBeVisible()
    await expect(file).toHaveAccessibleDescription(/larger than 2 MB/)
    expect(sent).toEqual([])

    const picture = await photo(expert, 'receipt.png')
    expect(picture.buffer.length).toBeGreaterThan(limit)
    await file.setInputFiles(picture)
    await expect(expert.getByText('receipt.jpg')).toBeVisible()
    await expect(expert.getByText('The file is larger than 2 MB.')).toHaveCount(0)
    await expert.locator('[name=comment]').fill('Yes, here is the receipt.')
    await expert.getByRole('button', { name: 'Send feedback' }).click()
    await expect(expert.getByRole('heading', { level: 1, name: 'Thank you' })).toBeVisible()
    await expect(expert.getByText('Your input was received.')).toBeVisible()
    const stored = await row<{ type: string; size: number }>(
      `select f.type, f.size from files f join case_documents d on d.file_id = f.id
        join referrals r on r.id = d.from_referral_id where r.email = $1`,
      `kadia.sow.${number}@conseil.example`,
    )
    expect(stored.type).toBe('image/jpeg')
    expect(stored.size).toBeLessThan(limit)
  })
})
