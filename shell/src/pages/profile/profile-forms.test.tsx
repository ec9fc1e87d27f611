import { i18n } from '@lingui/core'
import type { Profile } from '@portal/contracts/access/profile'
import { drawInShell } from '@portal/screens/test-host'
import { click, eventually, named, type } from '@portal/ui/test-render'
import { act } from 'react'
import { expect, test } from 'vitest'
import ProfilePage from '../ProfilePage.tsx'
import { StartCard } from './StartCard.tsx'

const awa: Profile = {
  id: 1,
  first_name: 'Awa',
  last_name: 'Keïta',
  email: 'awa@portal.example',
  gender: null,
  type: null,
  user_title: null,
  deactivated_at: null,
  active: true,
  invited: false,
  roles: [],
  approval_limit: null,
  version: 1,
  locale: 'en',
  totp: false,
  totp_required: false,
  recovery_codes: 0,
}

const field = (label: string) => {
  const labels = [...document.querySelectorAll('label')]
  const id = labels.find(({ textContent }) => textContent?.startsWith(label))?.htmlFor
  const found = document.getElementById(id ?? '')
  if (!found) throw new Error(`There is no field ${label}: ${labels.map(({ textContent }) => textContent)}`)
  return found as HTMLInputElement
}

const choose = (select: HTMLElement, value: string) =>
  act(async () => {
    ;(select as HTMLSelectElement).value = value
    select.dispatchEvent(new Event('change', { bubbles: true }))
  })

test('a person who has chosen a language and saves her name first keeps the choice, and then saves it with the new name', async () => {
  let user = awa
  const sent: unknown[] = []
  const { box, messages, end } = await drawInShell(<ProfilePage />, ({ url, method, body }) => {
    if (method !== 'PUT')
      return url.endsWith('/users/profile/details') ? { body: { user } } : { status: 404, body: {} }
    sent.push(body)
    user = { ...user, ...(body as Profile), version: user.version + 1 }
    return { body: { message: 'Saved', user } }
  })
  await eventually(() => expect(field('Language').value).toBe('en'))
  await choose(field('Language'), 'fr')
  await type(field('Last name'), 'Diarra')
  await click(named('Update Profile', box))
  await eventually(() => expect(messages).toEqual(['Saved']))
  await eventually(() => expect(field('Last name').value).toBe('Diarra'))
  expect(field('Language').value).toBe('fr')
  await click(named('Save', box))
  await eventually(() =>
    expect(sent.at(-1)).toEqual({ first_name: 'Awa', last_name: 'Diarra', locale: 'fr', version: 2 }),
  )
  await eventually(() => expect(i18n.locale).toBe('fr'))
  await end()
})

test('a person who chooses another page to begin with, while the saved one is read again, keeps the choice', async () => {
  let start = ''
  let reads = 0
  const read = Promise.withResolvers<void>()
  const { box, messages, end } = await drawInShell(<StartCard />, async ({ url, method, body }) => {
    if (!url.endsWith('/start-page')) return { body: { views: [] } }
    if (method === 'PUT') start = (body as { start: string }).start
    else if (++reads > 1) await read.promise
    return { body: { message: 'Saved', start } }
  })
  await eventually(() => expect(field('Page to begin with').value).toBe(''))
  await choose(field('Page to begin with'), '/home/attendance')
  await click(named('Save', box))
  await eventually(() => expect(messages).toEqual(['Saved']))
  await choose(field('Page to begin with'), '/home/messages')
  await act(async () => read.resolve())
  await eventually(() => expect(reads).toBe(2))
  expect(field('Page to begin with').value).toBe('/home/messages')
  await click(named('Save', box))
  await eventually(() => expect(start).toBe('/home/messages'))
  await end()
})
