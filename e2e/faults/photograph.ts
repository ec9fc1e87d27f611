import type { FrameLocator, Locator, Page } from '@playwright/test'
import { expect } from '../test.ts'

type Where = Page | FrameLocator

/** A photograph of a good camera, 3000 by 2000 pixels, as a file of a form. */
export async function photographOf(page: Page) {
  const text = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 3000, height: 2000 })
    const paper = canvas.getContext('2d')
    if (!paper) throw new Error('There is no paper to draw on.')
    for (const [at, colour] of ['#7a4b2a', '#e8d9b0', '#b5651d'].entries()) {
      paper.fillStyle = colour
      paper.beginPath()
      paper.ellipse(1500, 1000, 1400 - at * 400, 900 - at * 260, 0, 0, 7)
      paper.fill()
    }
    return canvas.toDataURL('image/jpeg')
  })
  const buffer = Buffer.from(text.split(',')[1] ?? '', 'base64')
  return { name: 'Aminata Diallo.jpg', mimeType: 'image/jpeg', buffer }
}

const widthOf = (picture: Locator) => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)

/** Chooses a photograph while the line is broken: it stays, and goes once somebody sends it again. */
export async function sendOverBrokenLine(page: Page, form: Locator) {
  await page.route('**/records/meals/pictures', (route) => route.abort('connectionreset'), { times: 1 })
  await form.locator('input[type=file]').setInputFiles(await photographOf(page))
  await expect(form.getByText(/The picture was not sent, and is kept here/)).toBeVisible()
  await expect(form.getByAltText('The chosen picture')).toBeVisible()
  await form.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(form.getByText('Choose a file.')).toBeVisible()
  await form.getByRole('button', { name: 'Send the picture again' }).click()
  await expect(form.getByText('The picture was sent. It is kept once the form is saved.')).toBeVisible()
  await form.getByLabel('What is to be seen on it').fill('A bowl of millet')
}

/** Looks at the picture of a row, small and large. The large one stays open. */
export async function openPicture(at: Where, alt = 'A bowl of millet') {
  const small = at.getByRole('row').getByAltText(alt)
  await expect.poll(() => widthOf(small)).toBe(320)
  await small.click()
  const large = at.getByRole('dialog').getByAltText(alt)
  await expect.poll(() => widthOf(large)).toBe(1600)
  return at.getByRole('dialog')
}
