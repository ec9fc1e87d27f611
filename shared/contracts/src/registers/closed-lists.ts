import type { ClosedList } from '../field.ts'

/** How people are told apart in the registers. */
export const genders = {
  female: { en: 'Female', fr: 'Féminin', also: ['f', 'girl', 'woman', 'femme', 'fille'] },
  male: { en: 'Male', fr: 'Masculin', also: ['m', 'boy', 'man', 'homme', 'garçon'] },
} satisfies ClosedList
/** The disability scale (Registers 3.2). */
export const severities = {
  no_difficulty: { en: 'No difficulty', fr: 'Aucune difficulté', also: ['none', 'aucune', 'non'] },
  some_difficulty: {
    en: 'Some difficulty',
    fr: 'Quelques difficultés',
    also: ['some', 'certaines difficultés'],
  },
  lot_of_difficulty: {
    en: 'Lot of difficulty',
    fr: 'Beaucoup de difficultés',
    also: ['a lot of difficulty', 'beaucoup'],
  },
  cannot_do: { en: 'Cannot do', fr: 'Incapable', also: ['cannot do at all', 'impossible'] },
} satisfies ClosedList
/** Maternal status (Registers 3.2). */
export const maternalStatuses = {
  none: { en: 'None', fr: 'Aucun', also: ['no', 'aucune', 'non', 'néant'] },
  pregnant: { en: 'Pregnant', fr: 'Enceinte', also: [] },
  mother: { en: 'Mother', fr: 'Mère', also: [] },
  pregnant_mother: { en: 'Pregnant plus mother', fr: 'Enceinte et mère', also: ['pregnant and mother'] },
} satisfies ClosedList
/** Whether a guardian has fled. */
export const displaced = {
  displaced: { en: 'Displaced', fr: 'Déplacé', also: ['déplacée', 'déplacés', 'pdi', 'idp'] },
  resident: { en: 'Resident', fr: 'Résident', also: ['résidente', 'autochtone'] },
} satisfies ClosedList
/** How a person is addressed. */
export const titles = {
  mr: { en: 'Mr', fr: 'M.', also: [] },
  mrs: { en: 'Mrs', fr: 'Mme', also: [] },
  miss: { en: 'Miss', fr: 'Mlle', also: [] },
  prof: { en: 'Prof.', fr: 'Pr', also: [] },
  dr: { en: 'Dr', fr: 'Dr', also: [] },
} satisfies ClosedList
/** What an account is for. */
export const accountTypes = {
  teacher: { en: 'Teacher', fr: 'Enseignant', also: [] },
  student: { en: 'Student', fr: 'Élève', also: [] },
  partner: { en: 'Partner', fr: 'Partenaire', also: [] },
  developer: { en: 'Developer', fr: 'Développeur', also: [] },
} satisfies ClosedList
/** A flag, as a form's select sends it. */
export const flags = {
  true: { en: 'Yes', fr: 'Oui', also: [] },
  false: { en: 'No', fr: 'Non', also: [] },
} satisfies ClosedList
