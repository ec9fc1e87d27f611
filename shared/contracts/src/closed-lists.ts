/** Words for the closed lists of the registers' sheets besides the values themselves, in both languages. */
export const genderWords = {
  female: ['f', 'girl', 'woman', 'féminin', 'femme', 'fille'],
  male: ['m', 'boy', 'man', 'masculin', 'homme', 'garçon'],
}
export const severityWords = {
  no_difficulty: ['no difficulty', 'none', 'aucune difficulté', 'aucune', 'non'],
  some_difficulty: ['some difficulty', 'some', 'quelques difficultés', 'certaines difficultés'],
  lot_of_difficulty: ['lot of difficulty', 'a lot of difficulty', 'beaucoup de difficultés', 'beaucoup'],
  cannot_do: ['cannot do', 'cannot do at all', 'incapable', 'impossible'],
}
export const maternalWords = {
  none: ['no', 'aucun', 'aucune', 'non', 'néant'],
  pregnant: ['enceinte'],
  mother: ['mère'],
  pregnant_mother: ['pregnant plus mother', 'pregnant and mother', 'enceinte et mère'],
}
export const displacedWords = {
  displaced: ['déplacé', 'déplacée', 'déplacés', 'pdi', 'idp'],
  resident: ['résident', 'résidente', 'autochtone'],
}

export const genders = ['female', 'male'] as const
