import type { Text } from '../../text.ts'
import type { StateStep } from './step.ts'

export const secondPerson: Text = {
  en: 'It waits for a second person.',
  fr: 'Il faut une deuxième personne.',
}
export const decides = (can: Text): StateStep => ({
  why: secondPerson,
  by: 'cohorts.approve',
  can,
  ask: {
    en: 'Ask an approver who did not propose it.',
    fr: 'Demandez à un approbateur qui ne l’a pas proposé.',
  },
})
