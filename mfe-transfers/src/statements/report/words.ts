import { loadCatalog } from '@portal/i18n/locale'
import { messages as en } from './locales/en.ts'
import { messages as fr } from './locales/fr.ts'

// Both languages come with this page, so that the list of statements does not fetch its words.
loadCatalog('en', en)
loadCatalog('fr', fr)
