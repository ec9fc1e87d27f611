import type { Text } from '@portal/contracts/sentences'

/** The sentences of the registers, in both languages. */
export const text = {
  locationUpdated: { en: 'Location updated', fr: 'Localité mise à jour' },
  schoolUpdated: { en: 'School updated', fr: 'Établissement mis à jour' },
  studentUpdated: { en: 'Student updated', fr: 'Élève mis à jour' },
  parentUpdated: { en: 'Parent updated', fr: 'Parent mis à jour' },
  partnerUpdated: { en: 'Partner updated', fr: 'Partenaire mis à jour' },
  locationTaken: {
    en: 'This arrondissement stands in that commune already.',
    fr: 'Cet arrondissement figure déjà dans cette commune.',
  },
  classOfOtherSchool: {
    en: 'Choose a class of the student’s school.',
    fr: 'Choisissez une classe de l’établissement de l’élève.',
  },
  ageUnusual: {
    en: 'This makes an age of {0}; at this class level about {1} is usual. Correct the date of birth or the level, or confirm that both are right.',
    fr: 'Cela donne l’âge de {0} ; à ce niveau, environ {1} est habituel. Corrigez la date de naissance ou le niveau, ou confirmez que les deux sont exacts.',
  },
  typeUnknown: { en: 'Choose one of the portal’s types.', fr: 'Choisissez un des types du portail.' },
  languageUnknown: {
    en: 'Choose one of the portal’s languages.',
    fr: 'Choisissez une des langues du portail.',
  },
} satisfies Record<string, Text>
