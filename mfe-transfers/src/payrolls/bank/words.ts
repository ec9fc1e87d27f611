import { loadCatalog } from '@portal/i18n/locale'
import { messages as en } from './locales/en.ts'
import { messages as fr } from './locales/fr.ts'

// Both languages come with this card, so that rounds of other agencies do not fetch their words.
loadCatalog('en', en)
loadCatalog('fr', fr)
