import type { Text } from '@portal/contracts/sentences'

/** The sentences about target lists from the register. */
export const say = {
  sheet: { en: 'Target list', fr: 'Liste cible' },
  noGirl: {
    en: 'No girl is left of this selection. Take a condition away, or choose other places or levels.',
    fr: 'Aucune élève ne reste de cette sélection. Retirez une condition, ou choisissez d’autres lieux ou niveaux.',
  },
  tooMany: {
    en: 'This selection has {0} girls, and a list has at most {1}. Choose fewer places or levels.',
    fr: 'Cette sélection compte {0} élèves, et une liste {1} au plus. Choisissez moins de lieux ou de niveaux.',
  },
  otherCountry: {
    en: 'This agency pays in another country than the one of the selection. Choose an agency of that country.',
    fr: 'Cette agence paie dans un autre pays que celui de la sélection. Choisissez une agence de ce pays.',
  },
  noAccounts: {
    en: 'The register has no account numbers, which a bank needs. Save the list as Excel, fill in the accounts and upload it.',
    fr: 'Le registre n’a pas de numéros de compte, et une banque en a besoin. Enregistrez la liste en Excel, remplissez les comptes et envoyez-la.',
  },
} satisfies Record<string, Text>
