import { choiceSentences } from './imports/choice-sentences.ts'
import { importSentences } from './imports/import-sentences.ts'
import type { Locale, Text } from './text.ts'

export type { Locale, Text } from './text.ts'

/** Validation sentences, named by the schemas as `key` or `key|first|second`; `{0}`, `{1}` take the parts. */
export const sentences = {
  required: { en: 'Fill in this field.', fr: 'Remplissez ce champ.' },
  choose: { en: 'Choose one of the list.', fr: 'Choisissez dans la liste.' },
  too_long: { en: 'Write at most {0} characters.', fr: 'Écrivez {0} caractères au plus.' },
  email: {
    en: 'Write an e-mail address such as name@example.org.',
    fr: 'Écrivez une adresse e-mail comme nom@example.org.',
  },
  date: {
    en: 'Write a date that exists, as dd/mm/yyyy.',
    fr: 'Écrivez une date qui existe, sous la forme jj/mm/aaaa.',
  },
  instant: {
    en: 'Write a time such as 2025-11-20T08:12:04Z.',
    fr: 'Écrivez une heure comme 2025-11-20T08:12:04Z.',
  },
  too_many_chosen: { en: 'Choose at most {0} rows.', fr: 'Choisissez {0} lignes au plus.' },
  number: { en: 'Write a number.', fr: 'Écrivez un nombre.' },
  whole: { en: 'Write a whole number.', fr: 'Écrivez un nombre entier.' },
  between: { en: 'Write a number from {0} to {1}.', fr: 'Écrivez un nombre de {0} à {1}.' },
  whole_francs: {
    en: 'Amounts are whole francs, without decimals.',
    fr: 'Les montants sont en francs entiers, sans décimales.',
  },
  amount_positive: { en: 'The amount is at least 1 franc.', fr: 'Le montant est d’au moins 1 franc.' },
  amount_max: {
    en: 'The amount is at most {0,number} francs.',
    fr: 'Le montant est d’au plus {0,number} francs.',
  },
  boolean: { en: 'Send true or false.', fr: 'Envoyez true ou false.' },
  page: { en: 'The page is a positive whole number.', fr: 'La page est un nombre entier positif.' },
  per_page: { en: 'Ask for at most 100 rows a page.', fr: 'Demandez 100 lignes par page au plus.' },
  sort: { en: 'This list cannot be sorted that way.', fr: 'Cette liste ne se trie pas ainsi.' },
  filter: { en: 'This list has no such filter.', fr: 'Cette liste n’a pas ce filtre.' },
  total: { en: 'This list has no such total.', fr: 'Cette liste n’a pas ce total.' },
  invalid: { en: 'This value is not accepted.', fr: 'Cette valeur n’est pas acceptée.' },
  file_required: { en: 'Choose a file.', fr: 'Choisissez un fichier.' },
  excel_only: {
    en: 'Choose an Excel file (.xlsx or .xls).',
    fr: 'Choisissez un fichier Excel (.xlsx ou .xls).',
  },
  excel_too_large: { en: 'The file is larger than 20 MB.', fr: 'Le fichier dépasse 20 Mo.' },
  password_length: {
    en: 'A password has 12 to 200 characters.',
    fr: 'Un mot de passe compte de 12 à 200 caractères.',
  },
  password_common: {
    en: 'This password is too easy to guess. Four words that do not belong together are better, without your name.',
    fr: 'Ce mot de passe est trop facile à deviner. Choisissez plutôt quatre mots sans lien entre eux, et sans votre nom.',
  },
  taken: { en: 'This value is already in use.', fr: 'Cette valeur est déjà utilisée.' },
  commission_range: {
    en: 'The commission is a number from 0 to 100.',
    fr: 'La commission est un nombre de 0 à 100.',
  },
  percent_decimals: {
    en: 'Write a percentage with at most two decimals.',
    fr: 'Écrivez un pourcentage avec deux décimales au plus.',
  },
  commission_decimals: {
    en: 'The commission has at most two decimals.',
    fr: 'La commission a deux décimales au plus.',
  },
  currency_xof: { en: 'The currency is XOF.', fr: 'La devise est XOF.' },
  json_object: {
    en: 'Write the details as a JSON object, such as {"protocol": "sandbox"}.',
    fr: 'Écrivez les détails sous forme d’objet JSON, par exemple {"protocol": "sandbox"}.',
  },
  detail_credential: {
    en: 'Copy it whole, as the agency shows it: at least 16 characters without spaces.',
    fr: 'Copiez-la en entier, telle que l’agence l’affiche : au moins 16 caractères sans espaces.',
  },
  detail_party: {
    en: 'Write the kind of account and its identifier, such as organisationid:7001. Kinds are organisationid, walletid, accountid and msisdn.',
    fr: 'Écrivez le type de compte et son identifiant, par exemple organisationid:7001. Les types sont organisationid, walletid, accountid et msisdn.',
  },
  detail_payer: {
    en: 'Write it without accents, at most 70 letters and digits: banks read no others.',
    fr: 'Écrivez-le sans accents, avec au plus 70 lettres et chiffres : les banques n’en lisent pas d’autres.',
  },
  detail_account: {
    en: 'Write the IBAN (28 characters) or the RIB (24 characters), in capitals and without spaces.',
    fr: 'Écrivez l’IBAN (28 caractères) ou le RIB (24 caractères), en majuscules et sans espaces.',
  },
  detail_bic: {
    en: 'Write the BIC: 8 or 11 capitals and digits.',
    fr: 'Écrivez le BIC : 8 ou 11 majuscules et chiffres.',
  },
  detail_client: {
    en: 'Write it as the agency gave it: at most 100 characters without spaces.',
    fr: 'Écrivez-le tel que l’agence l’a donné : 100 caractères au plus, sans espaces.',
  },
  protocol: { en: 'The protocol is one of: {0}.', fr: 'Le protocole est l’un des suivants : {0}.' },
  endpoint_url: {
    en: 'Write a web address that starts with https://.',
    fr: 'Écrivez une adresse web commençant par https://.',
  },
  endpoint_private: { en: 'This address is not a public one.', fr: 'Cette adresse n’est pas publique.' },
  endpoint_not_allowed: {
    en: 'This address is not on the list of allowed agencies.',
    fr: 'Cette adresse ne figure pas dans la liste des agences autorisées.',
  },
  to_before_from: {
    en: 'The end date is before the start date.',
    fr: 'La date de fin précède la date de début.',
  },
  period_over: { en: 'This period is already over.', fr: 'Cette période est déjà terminée.' },
  too_many_rounds: {
    en: 'This period would make {0} rounds; at most 120 are possible.',
    fr: 'Cette période ferait {0} tours ; 120 au plus sont possibles.',
  },
  agency_gone: {
    en: 'This transfer agency is not available. Choose an active one.',
    fr: 'Cette agence de transfert n’est pas disponible. Choisissez-en une active.',
  },
  parameter_gone: {
    en: 'This transfer parameter is not available. Choose an active one.',
    fr: 'Ce paramètre de transfert n’est pas disponible. Choisissez-en un actif.',
  },
  permission_needed: {
    en: 'Choose at least one permission.',
    fr: 'Choisissez au moins une permission.',
  },
  totp_code: { en: 'This code is not right.', fr: 'Ce code est incorrect.' },
  academic_year: {
    en: 'Write the school year as 2026-2027.',
    fr: 'Écrivez l’année scolaire sous la forme 2026-2027.',
  },
  date_future: { en: 'This date lies in the future.', fr: 'Cette date est dans le futur.' },
  too_many_corrections: {
    en: 'Correct at most 5,000 cells at once.',
    fr: 'Corrigez 5 000 cellules au plus à la fois.',
  },
  document_kind: {
    en: 'Choose a jpg, jpeg, png or pdf file.',
    fr: 'Choisissez un fichier jpg, jpeg, png ou pdf.',
  },
  document_content: {
    en: 'This is not a jpg, png or pdf file, whatever its name says.',
    fr: 'Ce n’est pas un fichier jpg, png ou pdf, quel que soit son nom.',
  },
  document_active: {
    en: 'This pdf is protected, or contains programs or attached files. Print it as a new pdf, and choose that one.',
    fr: 'Ce pdf est protégé, ou contient des programmes ou des fichiers joints. Imprimez-le dans un nouveau pdf, puis choisissez celui-ci.',
  },
  document_pixels: {
    en: 'This picture has too many pixels. Save it smaller and try again.',
    fr: 'Cette image a trop de pixels. Enregistrez-la en plus petit et réessayez.',
  },
  document_too_large: { en: 'The file is larger than 2 MB.', fr: 'Le fichier dépasse 2 Mo.' },
  decision: { en: 'The decision is approved or rejected.', fr: 'La décision est approved ou rejected.' },
} satisfies Record<string, Text>

/** French signs never begin a line, nor are thousands or the franc cut: their spaces are hard, and nobody types them. */
export const withFrenchSpaces = (text: string): string =>
  text
    .replace(/ (?=[:;?!»%])/g, '\u00a0')
    .replaceAll('« ', '«\u00a0')
    .replaceAll('F CFA', 'F\u00a0CFA')
    .replace(/(\d) (?=\d{3}(?!\d))/g, '$1\u00a0')

/** Puts parts into a text: `{0}`, `{1}`…; `{0,number}` is written as the language writes numbers. */
export function fill(text: Text, locale: Locale, ...parts: (string | number)[]): string {
  const words = locale === 'fr' ? withFrenchSpaces(text.fr) : text[locale]
  return words.replace(/\{(\d)(,number)?\}/g, (whole, index: string, number?: string) => {
    const part = parts[Number(index)] ?? whole
    return number ? Number(part).toLocaleString(locale === 'fr' ? 'fr-FR' : 'en-US') : String(part)
  })
}

/** A text with its parts put in, in both languages. */
export function fillText(text: Text, ...parts: (string | number)[]): Text {
  return { en: fill(text, 'en', ...parts), fr: fill(text, 'fr', ...parts) }
}

const byKey = (texts: Record<string, Text>, key: string): Text | undefined => texts[key]

/** The sentence of a schema's message (`between|0|100`) about a field; a text that is no key is itself. */
export function say(message: string, locale: Locale, field = ''): string {
  return written(message, locale, field, (key) => byKey(sentences, key) ?? byKey(importSentences, key))
}

/** The same for the fields of a small form, without the sentences about workbooks: those are 4 KiB of a page. */
export function sayOfField(message: string, locale: Locale, field = ''): string {
  return written(message, locale, field, (key) => byKey(sentences, key))
}

function written(message: string, locale: Locale, field: string, find: (key: string) => Text | undefined) {
  const [key = '', ...parts] = message.split('|')
  const text = (key === 'choose' && choiceSentences[field]) || find(key)
  return text ? fill(text, locale, ...parts) : message
}
