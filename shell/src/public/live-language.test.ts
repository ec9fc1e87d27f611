import { expect, test, vi } from 'vitest'
import { liveLanguage } from './live-language.ts'

const page = (lang: string) =>
  `<div id="root"><p class="lang"><a lang="en" href="?">EN</a><a lang="fr" href="?">FR</a></p><h1>${lang}</h1><input id="email"></div>`

test('a person who chooses twice on a slow line reads the language that she chose last, and keeps what she typed', async () => {
  document.body.innerHTML = page('en')
  const answers = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()]
  const asked = [...answers]
  vi.stubGlobal('fetch', () => asked.shift()?.promise)
  liveLanguage()
  const email = () => document.getElementById('email') as HTMLInputElement
  email().value = 'awa@portal.example'
  const choose = (lang: string) => document.querySelector<HTMLElement>(`.lang a[lang=${lang}]`)?.click()
  choose('fr')
  choose('en')
  answers[1]?.resolve(new Response(page('English')))
  await expect.poll(() => document.querySelector('h1')?.textContent).toBe('English')
  answers[0]?.resolve(new Response(page('Français')))
  // What came too late is read to its end before it is dropped.
  await vi.waitFor(async () => expect((await answers[0]?.promise)?.bodyUsed).toBe(true))
  await new Promise((resolve) => setTimeout(resolve))
  expect([document.documentElement.lang, document.querySelector('h1')?.textContent]).toEqual([
    'en',
    'English',
  ])
  expect(email().value).toBe('awa@portal.example')
  vi.unstubAllGlobals()
})
