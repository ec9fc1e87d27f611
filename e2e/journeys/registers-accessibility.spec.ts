import { drawn, settled } from '../openings.ts'
import { category, chooseFile, guardians, uploadForReview } from '../registers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'

for (const width of [1280, 360])
  test(
    `an officer uses the workbench by keyboard and screen reader at ${width} px, in light and dark`,
    walked(width === 360),
    async ({ person }) => {
      const file = await guardians('regards', [
        { code: 'SEE-1', first_name: 'Awa', last_name: 'Keïta', phone: '76 12 34 56' },
        { code: 'SEE-1', first_name: 'Awa', last_name: 'Keïta', phone: '76 12 34 56' },
        { code: 'SEE-2', first_name: 'Nana', last_name: 'Kanté', phone: '76 12 34 5O' },
      ])
      const officer = await person('school', { width })
      const look = async (what: string) => {
        for (const scheme of ['light', 'dark'] as const) {
          await officer.emulateMedia({ colorScheme: scheme })
          await expectAccessible(officer, `${what} at ${width}, ${scheme}`)
        }
        await expectNoSidewaysScroll(officer, `${what} at ${width}`)
      }
      await settled(officer, '/admin/schools/parents/import')
      await chooseFile(officer, file)
      await look('a chosen file')
      await uploadForReview(officer)
      await expect(officer.locator('input.cell')).toBeVisible()
      await look('the rejected rows')
      for (const kind of ['new', 'changed', 'unchanged', 'duplicate'] as const) {
        await category(officer, kind).click()
        await expect(category(officer, kind)).toHaveAttribute('aria-current', 'page')
        await drawn(officer)
        await expect(officer.locator('.tabs + *')).toBeVisible()
        await look(`the category ${kind}`)
      }
    },
  )
