import { loadCatalog } from '@portal/i18n/locale'
import { messages as en } from './locales/en.ts'
import { messages as fr } from './locales/fr.ts'

// Both languages come with the first of these dialogs. The pages that open them are fetched without these words.
loadCatalog('en', en)
loadCatalog('fr', fr)
