import { loadCatalog } from '@portal/i18n/locale'
import { messages as en } from './locales/en.ts'
import { messages as fr } from './locales/fr.ts'

// Both languages come with the menu, so that no list fetches its words before somebody opens it.
loadCatalog('en', en)
loadCatalog('fr', fr)
