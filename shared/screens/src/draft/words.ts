import { loadCatalog } from '@portal/i18n/locale'
import { messages as en } from './locales/en.ts'
import { messages as fr } from './locales/fr.ts'

// Both languages come along: this is loaded with a long form, after its module's own catalogs were.
loadCatalog('en', en)
loadCatalog('fr', fr)
