import type { Text } from '@portal/contracts/sentences'

/** The sentences of imports, in both languages. */
export const text = {
  started: {
    en: 'The file was received. Its rows are being read.',
    fr: 'Le fichier a été reçu. Ses lignes sont en cours de lecture.',
  },
  fileEmpty: {
    en: 'The file has headings but no row below them.',
    fr: 'Le fichier a des en-têtes mais aucune ligne en dessous.',
  },
  noRowAccepted: {
    en: 'Not one row could be accepted; nothing was imported.',
    fr: 'Aucune ligne n’a pu être acceptée ; rien n’a été importé.',
  },
  broken: {
    en: 'The import failed on our side and nothing was saved. Upload the file again.',
    fr: 'L’import a échoué de notre côté et rien n’a été enregistré. Envoyez le fichier à nouveau.',
  },
  changedMeanwhile: {
    en: 'Somebody else changed some of these rows in the meantime.',
    fr: 'Une autre personne a modifié certaines de ces lignes entre-temps.',
  },
  refusedMeanwhile: {
    en: 'Some of these rows can no longer be imported, and each says why.',
    fr: 'Certaines de ces lignes ne peuvent plus être importées, et chacune dit pourquoi.',
  },
  reviewAgain: {
    en: 'Nothing was saved: look at the changes again and confirm.',
    fr: 'Rien n’a été enregistré : revoyez les changements et confirmez.',
  },
  tellImported: {
    en: '"{0}" is imported. Rows taken over: {1}, rejected: {2}.',
    fr: '« {0} » est importé. Lignes importées : {1}, rejetées : {2}.',
  },
  tellFailed: {
    en: '"{0}" could not be imported. Nothing was saved.',
    fr: '« {0} » n’a pas pu être importé. Rien n’a été enregistré.',
  },
  checked: {
    en: 'The corrected rows were checked again.',
    fr: 'Les lignes corrigées ont été vérifiées à nouveau.',
  },
  undone: {
    en: 'The last change was taken back.',
    fr: 'La dernière modification a été annulée.',
  },
  nothingToUndo: {
    en: 'Nothing was changed in this review.',
    fr: 'Rien n’a été modifié dans cette vérification.',
  },
  confirmed: { en: 'The import is being saved.', fr: 'L’import est en cours d’enregistrement.' },
  notInReview: {
    en: 'This import does not wait for a review.',
    fr: 'Cet import n’attend pas de vérification.',
  },
  over: { en: 'This import has already ended.', fr: 'Cet import est déjà terminé.' },
  cancelled: {
    en: 'The import was cancelled. Nothing was saved.',
    fr: 'L’import a été annulé. Rien n’a été enregistré.',
  },
  finished: {
    en: 'The import of {0} has finished.',
    fr: 'L’import de {0} est terminé.',
  },
} satisfies Record<string, Text>
