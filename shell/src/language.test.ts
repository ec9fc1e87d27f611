import { i18n } from '@lingui/core'
import { activate, loadCatalog } from '@portal/i18n/locale'
import type { PortalModule } from '@portal/sdk'
import { expect, test } from 'vitest'
import { addCatalogs, addModuleWords, speakFor } from './language.ts'

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
