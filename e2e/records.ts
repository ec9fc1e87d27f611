import type { Page } from '@playwright/test'
import { expect } from './test.ts'

/** Writes a record as a module itself would, in the session of the page, and returns its id. */
export async function writeRecord(page: Page, call: string, data: object): Promise<number> {
  const cookies = await page.context().cookies()
  const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  const headers = { 'X-Requested-With': 'XMLHttpRequest', 'X-XSRF-TOKEN': decodeURIComponent(token) }
  const answer = await page.context().request.post(call, { headers, data: { data } })
  expect(answer.ok(), await answer.text()).toBe(true)
  return (await answer.json()).record.id
}
