import { loadCatalog } from '@portal/i18n/locale'
import { messages as en } from './locales/en.ts'
import { messages as fr } from './locales/fr.ts'

// Both languages come with the piece: the catalog of all pieces is in the first file of the portal, which draws none of these.
loadCatalog('en', en)
loadCatalog('fr', fr)
