import { fill, fillText, type Locale, type Text } from '@portal/contracts/sentences'

/** What keeps a cohort from being moved to an agency: the kinds of `cohort_move_obstacles`, the most general first. */
const obstacleKinds = ['cohort', 'held', 'agency', 'nothing', 'unpayable', 'asked_first', 'sending'] as const
export type Obstacle = { kind: (typeof obstacleKinds)[number]; count: number }

/** Each obstacle with the way to end it. `{0}` is its count. */
const obstacleWords: Record<Obstacle['kind'], Text> = {
  cohort: {
    en: 'Only an approved cohort that is not closed can be moved.',
    fr: 'Seule une cohorte approuvée et non clôturée peut changer d’agence.',
  },
  held: {
    en: 'No payments are being sent at all. Sending must be released first.',
    fr: 'Plus aucun paiement n’est envoyé. L’envoi doit d’abord être rétabli.',
  },
  agency: {
    en: 'Choose another agency that is active and in the same country.',
    fr: 'Choisissez une autre agence, active et du même pays.',
  },
  nothing: {
    en: 'All payments of this cohort have ended, so there is nothing to move.',
    fr: 'Tous les paiements de cette cohorte sont terminés : il n’y a rien à confier.',
  },
  unpayable: {
    en: 'Recipients whom this agency cannot pay, because the list has no telephone number or account for them: {0}. Choose another agency.',
    fr: 'Destinataires que cette agence ne peut pas payer, faute de numéro ou de compte dans la liste : {0}. Choisissez une autre agence.',
  },
  asked_first: {
    en: 'Rounds that the present agency may have got from a lost database: {0}. Only it knows, so they are paid through it.',
    fr: 'Tours que l’agence actuelle a pu recevoir d’une base perdue : {0}. Elle seule le sait : ils sont payés par elle.',
  },
  sending: {
    en: 'Payments that are being sent: {0}. Stop the cohort, and approve once the agency has answered.',
    fr: 'Paiements en cours d’envoi : {0}. Arrêtez la cohorte, puis approuvez quand l’agence aura répondu.',
  },
}

const inOrder = (found: readonly Obstacle[]) =>
  obstacleKinds.flatMap((kind) => found.filter((obstacle) => obstacle.kind === kind))

/** The sentences about what is in the way, for a reader. */
export const obstacleLines = (found: readonly Obstacle[], locale: Locale): string[] =>
  inOrder(found).map(({ kind, count }) => fill(obstacleWords[kind], locale, count))

/** Payments on their way keep from the approval, not from the proposal. */
export const proposalObstacles = (found: readonly Obstacle[]) =>
  found.filter(({ kind }) => kind !== 'sending')

/** The refusal that names all that is in the way, or null. */
export function moveRefusal(found: readonly Obstacle[]): Text | null {
  if (found.length === 0) return null
  const words = inOrder(found).map(({ kind, count }) => fillText(obstacleWords[kind], count))
  return { en: words.map(({ en }) => en).join(' '), fr: words.map(({ fr }) => fr).join(' ') }
}
