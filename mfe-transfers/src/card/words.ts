import { loadCatalog } from '@portal/i18n/locale'
import { messages as en } from './locales/en.ts'
import { messages as fr } from './locales/fr.ts'

// Both languages come with the card, so that no page of the module fetches its words.
loadCatalog('en', en)
loadCatalog('fr', fr)
