import type { Text } from '../text.ts'

/**
 * What is wrong with a workbook, a heading or a cell. `{0}`, `{1}`… take the parts of `key|first|second`.
 * Where a part is a word of a language, it is given twice: English before French.
 */
export const importSentences = {
  workbook_empty_file: { en: 'The file is empty.', fr: 'Le fichier est vide.' },
  workbook_too_large: { en: 'The file is larger than 20 MB.', fr: 'Le fichier dépasse 20 Mo.' },
  workbook_pdf: {
    en: 'This is a PDF, not an Excel file. Export the list as .xlsx and choose that file.',
    fr: 'C’est un PDF, pas un fichier Excel. Exportez la liste en .xlsx et choisissez ce fichier.',
  },
  workbook_html: {
    en: 'This is a web page named like an Excel file. Open it in Excel and save it as .xlsx.',
    fr: 'C’est une page web nommée comme un fichier Excel. Ouvrez-la dans Excel et enregistrez-la en .xlsx.',
  },
  workbook_xml: {
    en: 'This is an XML file. Open it in Excel and save it as .xlsx.',
    fr: 'C’est un fichier XML. Ouvrez-le dans Excel et enregistrez-le en .xlsx.',
  },
  workbook_csv: {
    en: 'This is a text file (CSV). Open it in Excel and save it as .xlsx.',
    fr: 'C’est un fichier texte (CSV). Ouvrez-le dans Excel et enregistrez-le en .xlsx.',
  },
  csv_damaged: {
    en: 'The text file cannot be read: a quotation mark is missing, or a line is too long.',
    fr: 'Le fichier texte est illisible : un guillemet manque, ou une ligne est trop longue.',
  },
  statement_format: {
    en: 'This is no statement: choose an .xlsx, .xls or .csv file, or the bank’s camt.053 or camt.054 (.xml).',
    fr: 'Ce n’est pas un relevé : choisissez un fichier .xlsx, .xls ou .csv, ou le camt.053 ou camt.054 (.xml) de la banque.',
  },
  xml_kind: {
    en: 'This XML file is no statement: choose a camt.053 or camt.054 of version 02 or 08. It is “{0}”.',
    fr: 'Ce fichier XML n’est pas un relevé : choisissez un camt.053 ou camt.054 en version 02 ou 08. C’est « {0} ».',
  },
  bank_answer_kind: {
    en: 'This XML file is no answer to a file: choose a pain.002 of version 03 or 10. It is “{0}”.',
    fr: 'Ce fichier XML n’est pas une réponse à un fichier : choisissez un pain.002 en version 03 ou 10. C’est « {0} ».',
  },
  bank_answer_file: {
    en: 'The answer does not say to which file it belongs (OrgnlMsgId).',
    fr: 'La réponse n’indique pas à quel fichier elle se rapporte (OrgnlMsgId).',
  },
  xml_doctype: {
    en: 'The XML file has a document type (DTD), which no statement needs; it is refused.',
    fr: 'Le fichier XML contient un type de document (DTD), dont aucun relevé n’a besoin ; il est refusé.',
  },
  xml_damaged: {
    en: 'The XML file breaks off or is damaged. Ask the bank for it again.',
    fr: 'Le fichier XML est incomplet ou endommagé. Redemandez-le à la banque.',
  },
  xml_heavy: {
    en: 'The XML file has more parts or levels than a statement has; it is refused.',
    fr: 'Le fichier XML a plus d’éléments ou de niveaux qu’un relevé ; il est refusé.',
  },
  xml_encoding: {
    en: 'The XML file has the encoding “{0}”. Ask the bank for one in UTF-8.',
    fr: 'Le fichier XML a l’encodage « {0} ». Demandez à la banque un fichier en UTF-8.',
  },
  statement_lines: {
    en: 'The statement has more than {0,number} payments. Ask the bank for one of a shorter period.',
    fr: 'Le relevé a plus de {0,number} paiements. Demandez à la banque un relevé d’une période plus courte.',
  },
  statement_returned: {
    en: 'The bank gave this payment back or cancelled its entry. Decide what becomes of the payment.',
    fr: 'La banque a rendu ce paiement ou annulé son écriture. Décidez de la suite du paiement.',
  },
  statement_incoming: {
    en: 'Money came in with a reference that no payment here has. Say what it is.',
    fr: 'De l’argent est arrivé avec une référence qui n’est celle d’aucun paiement du portail. Dites de quoi il s’agit.',
  },
  statement_entry: {
    en: 'The bank does not say that it booked this entry as a payment: “{0}”.',
    fr: 'La banque ne dit pas avoir comptabilisé cette écriture comme un paiement : « {0} ».',
  },
  statement_batch: {
    en: 'The bank booked {0} payments as one sum. Upload its camt.054, which has each of them.',
    fr: 'La banque a comptabilisé {0} paiements en une somme. Envoyez son camt.054, qui les contient un par un.',
  },
  statement_currency: {
    en: '“{0}” is not the currency of the programme, which is XOF.',
    fr: '« {0} » n’est pas la monnaie du programme, qui est le F CFA.',
  },
  statement_reference: {
    en: 'This entry has neither a reference (EndToEndId) nor the recipient’s account, so it belongs to no payment.',
    fr: 'Cette écriture n’a ni référence (EndToEndId) ni compte du destinataire : elle ne correspond à aucun paiement.',
  },
  statement_amount: {
    en: '“{0}” is no amount in whole francs.',
    fr: '« {0} » n’est pas un montant en francs entiers.',
  },
  statement_fee: {
    en: '“{0}” is no fee in whole francs.',
    fr: '« {0} » n’est pas un montant de frais en francs entiers.',
  },
  statement_day: { en: '“{0}” is no day.', fr: '« {0} » n’est pas une date.' },
  workbook_zip: {
    en: 'This is a zip archive, not an Excel file.',
    fr: 'C’est une archive zip, pas un fichier Excel.',
  },
  workbook_word: {
    en: 'This is a document or a presentation, not an Excel file.',
    fr: 'C’est un document ou une présentation, pas un fichier Excel.',
  },
  workbook_ods: {
    en: 'This is an OpenDocument spreadsheet. Save it as .xlsx and choose that file.',
    fr: 'C’est un classeur OpenDocument. Enregistrez-le en .xlsx et choisissez ce fichier.',
  },
  workbook_xlsb: {
    en: 'This is a binary Excel workbook (.xlsb). Save it as .xlsx and choose that file.',
    fr: 'C’est un classeur Excel binaire (.xlsb). Enregistrez-le en .xlsx et choisissez ce fichier.',
  },
  workbook_macros: {
    en: 'This workbook holds macros. Save it as .xlsx, without macros, and choose that file.',
    fr: 'Ce classeur contient des macros. Enregistrez-le en .xlsx, sans macros, et choisissez ce fichier.',
  },
  workbook_old: {
    en: 'This workbook was made by a very old Excel. Save it as .xlsx and choose that file.',
    fr: 'Ce classeur vient d’un Excel très ancien. Enregistrez-le en .xlsx et choisissez ce fichier.',
  },
  workbook_password: {
    en: 'This workbook is protected by a password. Save it without one and choose that file.',
    fr: 'Ce classeur est protégé par un mot de passe. Enregistrez-le sans mot de passe et choisissez ce fichier.',
  },
  workbook_not_excel: { en: 'This is not an Excel file.', fr: 'Ce n’est pas un fichier Excel.' },
  workbook_damaged: {
    en: 'The file is cut off or damaged. Open it in Excel, save it again and choose it once more.',
    fr: 'Le fichier est tronqué ou endommagé. Ouvrez-le dans Excel, enregistrez-le à nouveau et choisissez-le encore.',
  },
  workbook_unpacked: {
    en: 'The file unpacks to more than {0} MB.',
    fr: 'Le fichier décompressé dépasse {0} Mo.',
  },
  workbook_entities: {
    en: 'The file holds XML declarations that a workbook never has; it is refused.',
    fr: 'Le fichier contient des déclarations XML qu’un classeur n’a jamais ; il est refusé.',
  },
  workbook_parts: {
    en: 'The file holds more parts than a workbook has; it is refused.',
    fr: 'Le fichier contient plus de parties qu’un classeur n’en a ; il est refusé.',
  },
  workbook_too_heavy: {
    en: 'The workbook takes too much time or memory to read. Copy its rows into a new workbook.',
    fr: 'Le classeur demande trop de temps ou de mémoire. Copiez ses lignes dans un nouveau classeur.',
  },
  workbook_rows: {
    en: 'The sheet has more than {0,number} rows. Split it into several files.',
    fr: 'La feuille a plus de {0,number} lignes. Divisez-la en plusieurs fichiers.',
  },
  workbook_merged: {
    en: 'The cells {0} are merged, so that only the first of their rows has a value. Unmerge them and write the value in each row.',
    fr: 'Les cellules {0} sont fusionnées : seule la première de leurs lignes a une valeur. Annulez la fusion et écrivez la valeur dans chaque ligne.',
  },
  workbook_columns: {
    en: 'The sheet has more than {0} columns.',
    fr: 'La feuille a plus de {0} colonnes.',
  },
  workbook_unreadable: {
    en: 'The file could not be read in this browser. You can upload it all the same: the portal reads it again.',
    fr: 'Ce navigateur n’a pas pu lire le fichier. Vous pouvez l’envoyer quand même : le portail le relit.',
  },
  workbook_no_cells: { en: 'The workbook is empty.', fr: 'Le classeur est vide.' },
  workbook_no_rows: {
    en: 'The sheet has headings, but no row below them.',
    fr: 'La feuille a des en-têtes, mais aucune ligne en dessous.',
  },
  headings_none: {
    en: 'The headings of this list were not found in the first rows. Needed are: {0}.',
    fr: 'Les en-têtes de cette liste sont introuvables dans les premières lignes. Il faut : {1}.',
  },
  headings_missing: { en: 'Headings are missing: {0}.', fr: 'Il manque des en-têtes : {1}.' },
  headings_doubled: {
    en: 'Headings stand there more than once: {0}.',
    fr: 'Des en-têtes figurent plusieurs fois : {1}.',
  },

  cell_formula: {
    en: 'This cell holds a formula. Write its value instead.',
    fr: 'Cette cellule contient une formule. Écrivez plutôt sa valeur.',
  },
  cell_error: {
    en: 'This cell holds the spreadsheet’s error {0}.',
    fr: 'Cette cellule contient l’erreur {0} du tableur.',
  },
  cell_number_eaten: {
    en: 'Excel has shortened this number. Format the column as text and write it in full.',
    fr: 'Excel a raccourci ce nombre. Mettez la colonne au format texte et écrivez-le en entier.',
  },
  name_letters: { en: 'A name holds at least one letter.', fr: 'Un nom contient au moins une lettre.' },

  phone_none: { en: 'This is not a telephone number.', fr: 'Ce n’est pas un numéro de téléphone.' },
  phone_letter: { en: 'The letter {0} is not a digit.', fr: 'La lettre {0} n’est pas un chiffre.' },
  phone_sign: { en: 'The sign {0} is not a digit.', fr: 'Le signe {0} n’est pas un chiffre.' },
  phone_several: {
    en: 'There are several numbers in this cell. Keep one.',
    fr: 'Il y a plusieurs numéros dans cette cellule. N’en gardez qu’un.',
  },
  phone_digits_ml: {
    en: 'A number in Mali has 8 digits; this one has {0}.',
    fr: 'Un numéro du Mali compte 8 chiffres ; celui-ci en compte {0}.',
  },
  phone_digits_sn: {
    en: 'A number in Senegal has 9 digits; this one has {0}.',
    fr: 'Un numéro du Sénégal compte 9 chiffres ; celui-ci en compte {0}.',
  },
  phone_abroad_ml: {
    en: 'This number is not one of Mali, which start with +223.',
    fr: 'Ce numéro n’est pas du Mali, dont les numéros commencent par +223.',
  },
  phone_abroad_sn: {
    en: 'This number is not one of Senegal, which start with +221.',
    fr: 'Ce numéro n’est pas du Sénégal, dont les numéros commencent par +221.',
  },

  account_form: {
    en: 'Write an IBAN of 28 characters or a RIB of 24; this has {0}.',
    fr: 'Écrivez un IBAN de 28 caractères ou un RIB de 24 ; il y en a {0} ici.',
  },
  account_sign: {
    en: 'An account is written with letters and digits only, not {0}.',
    fr: 'Un compte s’écrit en lettres et chiffres seulement, sans {0}.',
  },
  iban_country: {
    en: 'An IBAN of this country starts with {0}.',
    fr: 'Un IBAN de ce pays commence par {0}.',
  },
  iban_key: {
    en: 'This IBAN is mistyped: its check digits do not fit.',
    fr: 'Cet IBAN est mal saisi : ses chiffres de contrôle ne correspondent pas.',
  },
  rib_key: {
    en: 'This RIB is mistyped: its key does not fit.',
    fr: 'Ce RIB est mal saisi : sa clé ne correspond pas.',
  },
  bic_form: {
    en: 'A BIC has 8 or 11 characters, such as BMSMMLBA.',
    fr: 'Un BIC compte 8 ou 11 caractères, par exemple BMSMMLBA.',
  },

  amount_form: {
    en: 'Write the amount in digits only, such as 10500; {0} can be read in two ways or none.',
    fr: 'Écrivez le montant en chiffres seulement, par exemple 10500 ; {0} se lit de deux façons ou d’aucune.',
  },
  whole_form: {
    en: 'Write the number in digits only, such as 1000; {0} can be read in two ways.',
    fr: 'Écrivez le nombre en chiffres seulement, par exemple 1000 ; {0} se lit de deux façons.',
  },
  student_unknown: {
    en: 'No student has the code {0}.',
    fr: 'Aucun élève n’a le code {0}.',
  },
  student_recoded: {
    en: 'The code {0} belongs to another student by now. Leave the row out, and take it back if she is meant.',
    fr: 'Le code {0} est désormais celui d’une autre élève. Laissez la ligne de côté, puis reprenez-la s’il s’agit bien d’elle.',
  },
  flag_form: { en: 'Write yes or no.', fr: 'Écrivez oui ou non.' },
  not_listed: {
    en: '“{0}” is not one of the list: {1}.',
    fr: '« {0} » ne figure pas dans la liste : {1}.',
  },
  not_listed_words: {
    en: '“{0}” is not one of the list: {1}.',
    fr: '« {0} » ne figure pas dans la liste : {2}.',
  },
  not_listed_near: {
    en: '“{0}” is not one of the list. Did you mean {1}?',
    fr: '« {0} » ne figure pas dans la liste. Vouliez-vous dire {1} ?',
  },
  cap_unknown: { en: 'No CAP is called {0}.', fr: 'Aucun CAP ne s’appelle {0}.' },
  cap_unknown_near: {
    en: 'No CAP is called {0}. The nearest known one is {1}.',
    fr: 'Aucun CAP ne s’appelle {0}. Le plus proche est {1}.',
  },
  cap_inactive: {
    en: '{0} is inactive. Choose another CAP.',
    fr: '{0} est inactif. Choisissez un autre CAP.',
  },
  cap_other_academy: {
    en: '{0} belongs to {1}, not to {2}.',
    fr: '{0} relève de {1}, et non de {2}.',
  },
  academy_unknown: { en: 'No AE is called {0}.', fr: 'Aucune AE ne s’appelle {0}.' },
  academy_unknown_near: {
    en: 'No AE is called {0}. The nearest known one is {1}.',
    fr: 'Aucune AE ne s’appelle {0}. La plus proche est {1}.',
  },
  level_unknown: { en: '{0} is not a known class level.', fr: '{0} n’est pas un niveau de classe connu.' },
  level_unknown_near: {
    en: '{0} is not a known class level. The nearest known one is {1}.',
    fr: '{0} n’est pas un niveau de classe connu. Le plus proche est {1}.',
  },
  level_of_mali: {
    en: '{0} is a class level of Mali, and the school is in Senegal.',
    fr: '{0} est un niveau de classe du Mali, et l’établissement est au Sénégal.',
  },
  level_of_senegal: {
    en: '{0} is a class level of Senegal, and the school is in Mali.',
    fr: '{0} est un niveau de classe du Sénégal, et l’établissement est au Mali.',
  },
  region_unknown: { en: 'No region is called {0}.', fr: 'Aucune région ne s’appelle {0}.' },
  region_unknown_near: {
    en: 'No region is called {0}. The nearest known one is {1}.',
    fr: 'Aucune région ne s’appelle {0}. La plus proche est {1}.',
  },
  cercle_near: {
    en: 'No cercle of this region is called {0}. Did you mean {1}?',
    fr: 'Aucun cercle de cette région ne s’appelle {0}. Vouliez-vous dire {1} ?',
  },
  cercle_unknown: {
    en: 'No cercle of this region is called {0}.',
    fr: 'Aucun cercle de cette région ne s’appelle {0}.',
  },
  place_unknown: { en: 'No arrondissement is called {0}.', fr: 'Aucun arrondissement ne s’appelle {0}.' },
  place_unknown_near: {
    en: 'No arrondissement is called {0}. The nearest known one is {1}.',
    fr: 'Aucun arrondissement ne s’appelle {0}. Le plus proche est {1}.',
  },
  place_several: {
    en: 'Several arrondissements are called {0}. Write the commune and the cercle too.',
    fr: 'Plusieurs arrondissements s’appellent {0}. Indiquez aussi la commune et le cercle.',
  },
  school_unknown: { en: 'No school has the code {0}.', fr: 'Aucun établissement n’a le code {0}.' },
  school_unknown_near: {
    en: 'No school has the code {0}. The nearest known one is {1}.',
    fr: 'Aucun établissement n’a le code {0}. Le plus proche est {1}.',
  },
  class_unknown: { en: 'The school has no class {0}.', fr: 'L’établissement n’a pas de classe {0}.' },
  class_unknown_near: {
    en: 'The school has no class {0}. Its classes are: {1}.',
    fr: 'L’établissement n’a pas de classe {0}. Ses classes : {1}.',
  },
  age_unusual: {
    en: 'Unusual age: born on {0}; at level {1} about {2} years is usual. Correct it, or confirm it in the review.',
    fr: 'Âge inhabituel : naissance le {0} ; au niveau {1}, environ {2} ans d’habitude. Corrigez-le, ou confirmez-le lors de la vérification.',
  },
  parent_unknown: { en: 'No guardian has the code {0}.', fr: 'Aucun tuteur n’a le code {0}.' },
  contact_needed: {
    en: 'Write an e-mail or a phone number: a teacher is known by one of them.',
    fr: 'Indiquez un e-mail ou un téléphone : l’enseignant est reconnu par l’un des deux.',
  },
  row_conflict: {
    en: 'Row {0} has the same {1} but other values. Keep one of the two.',
    fr: 'La ligne {0} a le même champ « {2} » mais d’autres valeurs. N’en gardez qu’une.',
  },
  person_conflict: {
    en: 'Row {0} has the same e-mail and another “{1}”. Write the same in both rows, or give another e-mail.',
    fr: 'La ligne {0} a le même e-mail et un autre « {2} ». Écrivez-le de la même façon dans les deux lignes, ou indiquez un autre e-mail.',
  },
  person_known: {
    en: 'This e-mail is that of {0}, who has another “{1}” in the portal. Write it as it is there, or give another e-mail.',
    fr: 'Cet e-mail est celui de {0}, qui a un autre « {2} » dans le portail. Reprenez-le tel quel, ou indiquez un autre e-mail.',
  },
  school_unseen: {
    en: 'No school has the code {0}, or you may not see it.',
    fr: 'Aucun établissement n’a le code {0}, ou vous n’avez pas le droit de le voir.',
  },
  student_unseen: {
    en: 'No student has the code {0}, or you may not see her record.',
    fr: 'Aucun élève n’a le code {0}, ou vous n’avez pas le droit de le voir.',
  },
  case_unseen: {
    en: 'No case has the number {0}, or you may not see it.',
    fr: 'Aucun dossier n’a le numéro {0}, ou vous n’avez pas le droit de le voir.',
  },
  record_unknown: {
    en: 'There is no record {0} here. Leave the number blank for a new one.',
    fr: 'Il n’y a pas de fiche {0} ici. Laissez le numéro vide pour une nouvelle.',
  },
  record_stale: {
    en: 'Somebody changed this record after the file was made. Export it again and change that file.',
    fr: 'Quelqu’un a modifié cette fiche depuis que le fichier a été fait. Exportez-la à nouveau et modifiez ce fichier.',
  },
  record_version: {
    en: 'A record with a number needs the version that the export gave it.',
    fr: 'Une fiche qui a un numéro doit porter la version donnée par l’export.',
  },
  record_too_large: {
    en: 'A record may hold at most 20 KB.',
    fr: 'Une fiche peut contenir au plus 20 Ko.',
  },
  left_out: {
    en: 'This row was left out in the review.',
    fr: 'Cette ligne a été laissée de côté lors de la vérification.',
  },
  report_date_old: {
    en: 'Attendance is taken up to 14 days back.',
    fr: 'La présence est acceptée jusqu’à 14 jours en arrière.',
  },
  report_present_more: {
    en: '{0} present are more than the {1} enrolled.',
    fr: '{0} présents, c’est plus que les {1} inscrits.',
  },
  report_enrolled_unknown: {
    en: 'Write how many are enrolled: the register does not know.',
    fr: 'Indiquez le nombre d’inscrits : le registre ne le connaît pas.',
  },
  report_empty: {
    en: 'Neither learners nor teachers are reported.',
    fr: 'Ni élèves ni enseignants ne sont indiqués.',
  },
} satisfies Record<string, Text>

/** A key of the sentences above, with its parts: what `say` reads. */
export function sentence(key: keyof typeof importSentences, ...parts: (string | number)[]): string {
  return [key, ...parts.map((part) => String(part).replaceAll('|', '¦'))].join('|')
}
