import type { Text } from '../text.ts'

/** What to choose in a field, by its name on the wire; other fields say "Choose one of the list." */
export const choiceSentences: Record<string, Text> = {
  transfer_agency_id: { en: 'Choose a transfer agency.', fr: 'Choisissez une agence de transfert.' },
  transfer_parameter_id: { en: 'Choose a transfer parameter.', fr: 'Choisissez un paramètre de transfert.' },
  country: { en: 'Choose a country.', fr: 'Choisissez un pays.' },
  type: { en: 'Choose a type.', fr: 'Choisissez un type.' },
  user_title: { en: 'Choose a title.', fr: 'Choisissez une civilité.' },
  gender: { en: 'Choose a gender.', fr: 'Choisissez le sexe.' },
  salutation: { en: 'Choose a salutation.', fr: 'Choisissez une civilité.' },
  role_id: { en: 'Choose a role.', fr: 'Choisissez un rôle.' },
  user_ids: { en: 'Choose at least one person.', fr: 'Choisissez au moins une personne.' },
  channel: { en: 'Choose a channel.', fr: 'Choisissez un canal.' },
  channel_id: { en: 'Choose a channel.', fr: 'Choisissez un canal.' },
  reviewer: { en: 'Choose a reviewer.', fr: 'Choisissez un responsable du dossier.' },
  priority: { en: 'Choose a priority.', fr: 'Choisissez une priorité.' },
  tags: { en: 'Choose tags of the list.', fr: 'Choisissez des étiquettes de la liste.' },
  document_ids: { en: 'Choose documents of this case.', fr: 'Choisissez des documents de ce dossier.' },
  class_id: { en: 'Choose a class.', fr: 'Choisissez une classe.' },
  arrondissement_id: { en: 'Choose an arrondissement.', fr: 'Choisissez un arrondissement.' },
  locale: { en: 'Choose a language.', fr: 'Choisissez une langue.' },
}
