import { i18n } from '@lingui/core'
import { activate, loadCatalog } from '@portal/i18n/locale'
import type { PortalModule } from '@portal/sdk'
import { type Message, messageEvent } from '@portal/ui/notify'
import { expect, test, vi } from 'vitest'
import { addCatalogs, addModuleWords, chooseLocale, speak, speakFor } from './language.ts'

// The portal's own catalogs are read, too.
vi.setConfig({ testTimeout: 60_000 })

type Words = Record<string, string>
const inFrench = (fr: Words): PortalModule['messages'] => ({
  en: () => [],
  fr: () => [Promise.resolve({ messages: fr })],
})

test('a module with another French leaves the portal and other modules their own', async () => {
  loadCatalog('fr', {})
  activate('fr')
  await addCatalogs(inFrench({ remove: 'Supprimer' }))
  const users = inFrench({ visit: 'Connexion', role: 'Rôle' })
  const health = inFrench({ remove: 'Enlever', visit: 'Visite', page: 'Feuille', nurse: 'Infirmière' })
  const read = () => ['remove', 'visit', 'role', 'nurse', 'page'].map((id) => i18n.t(id))

  await addModuleWords(users)
  speakFor(users)
  await addModuleWords(health)
  // A card of it on the home page, or its code fetched early.
  expect(read()).toEqual(['Supprimer', 'Connexion', 'Rôle', 'Infirmière', 'Feuille'])

  speakFor(health)
  expect(read()).toEqual(['Supprimer', 'Visite', 'Rôle', 'Infirmière', 'Feuille'])

  // What the portal says comes late with one of its pages, and counts all the same.
  await addCatalogs(inFrench({ page: 'Page' }))
  speakFor(users)
  expect(read()).toEqual(['Supprimer', 'Connexion', 'Rôle', 'Infirmière', 'Page'])
  speakFor(health)
  expect(read()).toEqual(['Supprimer', 'Visite', 'Rôle', 'Infirmière', 'Page'])
})

test('a person who changes her mind while the words of a language come gets the language that she chose last', async () => {
  const french = Promise.withResolvers<{ messages: Words }>()
  await speak('en')
  await addCatalogs({ en: () => [], fr: () => [french.promise] })
  const first = speak('fr')
  await speak('en')
  french.resolve({ messages: {} })
  await first
  expect(i18n.locale).toBe('en')
})

test('a module that a person opens while the words of a language come speaks that language, too', async () => {
  await speak('en')
  const french = Promise.withResolvers<{ messages: Words }>()
  await addCatalogs({ en: () => [], fr: () => [french.promise] })
  const choosing = speak('fr')
  await addModuleWords({ en: () => [], fr: () => [Promise.resolve({ messages: { water: 'Eau' } })] })
  french.resolve({ messages: {} })
  await choosing
  expect(i18n.t('water')).toBe('Eau')
})

test('a person whose language does not come is told so, and keeps the one before', async () => {
  await speak('en')
  const said: unknown[] = []
  const hear = (event: Event) => {
    event.preventDefault()
    said.push((event as CustomEvent<Message>).detail.title)
  }
  window.addEventListener(messageEvent, hear)
  let isAway = true
  const words = async () => {
    if (isAway) throw new TypeError('The file did not come.')
    return { messages: {} }
  }
  await addCatalogs({ en: () => [], fr: () => [words()] })
  chooseLocale('fr')
  await expect.poll(() => said).toEqual(['The language did not load. Check the connection and try again.'])
  expect(i18n.locale).toBe('en')
  isAway = false
  await speak('fr')
  expect(i18n.locale).toBe('fr')
  window.removeEventListener(messageEvent, hear)
})
