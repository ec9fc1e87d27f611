import type { Text } from '@portal/contracts/sentences'

/** The sentences about the data of a person. */
export const say = {
  noCase: { en: 'The portal knows no case {0}.', fr: 'Le portail ne connaît aucun dossier {0}.' },
  asked: {
    en: 'The erasure is asked for. It is carried out once another person has approved it.',
    fr: 'L’effacement est demandé. Il sera exécuté quand une autre personne l’aura approuvé.',
  },
  approved: {
    en: 'The erasure is approved. It is carried out in the next night at the latest.',
    fr: 'L’effacement est approuvé. Il sera exécuté au plus tard la nuit prochaine.',
  },
  refused: { en: 'The erasure is refused', fr: 'L’effacement est refusé' },
  withdrawn: { en: 'The request is taken back', fr: 'La demande est retirée' },
  isOpen: {
    en: 'The erasure of this person is already asked for.',
    fr: 'L’effacement de cette personne est déjà demandé.',
  },
  decided: { en: 'This request was already decided.', fr: 'Cette demande a déjà été traitée.' },
  own: {
    en: 'You asked for this erasure, so somebody else must decide.',
    fr: 'Vous avez demandé cet effacement : une autre personne doit décider.',
  },
  notOwn: {
    en: 'Somebody else asked for this erasure. You can refuse it.',
    fr: 'Une autre personne a demandé cet effacement. Vous pouvez le refuser.',
  },
  sayWhose: {
    en: 'Say of each case that has this name whether it is about this person: {0}.',
    fr: 'Dites de chaque dossier qui porte ce nom s’il concerne cette personne : {0}.',
  },
  stopPaying: {
    en: 'Rounds are to come that would pay this person. Say that they are not to be paid.',
    fr: 'Des tours à venir paieraient cette personne. Dites qu’ils ne doivent pas l’être.',
  },
  round: { en: '{0} (rounds to come: {1})', fr: '{0} (tours à venir : {1})' },
} satisfies Record<string, Text>

const wait = (en: string, fr: string): Text => ({
  en: `The payment {0} of cohort "{1}" is ${en}: wait until its outcome is known, then erase.`,
  fr: `Le paiement {0} de la cohorte « {1} » est ${fr} : attendez que son résultat soit connu, puis effacez.`,
})

/** Why a person cannot be erased now, with what to do. */
export const bars = {
  account: {
    en: 'The account is active: deactivate it first, so that others take over its work.',
    fr: 'Le compte est actif : désactivez-le d’abord, pour que d’autres reprennent son travail.',
  },
  payment: {
    pending: wait('pending', 'en attente'),
    sending: wait('sending', 'en cours d’envoi'),
    unknown: wait('unknown', 'de résultat inconnu'),
    failed: {
      en: 'The payment {0} of cohort "{1}" failed and is arrears: have it made again or write it off, then erase.',
      fr: 'Le paiement {0} de la cohorte « {1} » a échoué et reste dû : relancez-le ou passez-le en perte, puis effacez.',
    },
  },
  list: {
    en: 'The list of cohort "{0}" waits for its approval: approve or reject it first.',
    fr: 'La liste de la cohorte « {0} » attend son approbation : approuvez-la ou rejetez-la d’abord.',
  },
  import: {
    en: 'The import {0} ("{1}") is open: confirm or cancel it first.',
    fr: 'L’import {0} (« {1} ») est ouvert : confirmez-le ou annulez-le d’abord.',
  },
  exporting: {
    en: 'An export is being written: try again in a minute.',
    fr: 'Un export est en cours d’écriture : réessayez dans une minute.',
  },
  importing: {
    en: 'A file is being imported: try again in a minute.',
    fr: 'Un fichier est en cours d’import : réessayez dans une minute.',
  },
  case: {
    en: 'The case {0} is open: resolve or reject it first.',
    fr: 'Le dossier {0} est ouvert : résolvez-le ou rejetez-le d’abord.',
  },
  consultation: {
    en: 'The consultation {0} is open: withdraw it, or wait until it has ended.',
    fr: 'La demande d’avis {0} est ouverte : retirez-la, ou attendez qu’elle soit terminée.',
  },
  request: {
    en: 'An erasure of this person is asked for: decide on it, or have it taken back first.',
    fr: 'L’effacement de cette personne est demandé : décidez-en, ou faites retirer la demande d’abord.',
  },
  gone: {
    en: 'The portal does not know this person any more.',
    fr: 'Le portail ne connaît plus cette personne.',
  },
}

/** What the command asks for besides. */
export const inCommand = {
  rounds: {
    en: 'Cohort "{0}" has rounds to come ({1}): add --stop-paying if this person is to get nothing of them.',
    fr: 'La cohorte « {0} » a des tours à venir ({1}) : ajoutez --stop-paying si cette personne ne doit rien en recevoir.',
  },
  namesake: {
    en: 'The case {0} names this person, or somebody of the same name: add --case {0} or --other-case {0}.',
    fr: 'Le dossier {0} nomme cette personne, ou quelqu’un du même nom : ajoutez --case {0} ou --other-case {0}.',
  },
}

/** The same for whoever asked on a page. */
export const onPage: typeof inCommand = {
  rounds: {
    en: 'Cohort "{0}" has rounds to come ({1}): ask again, and say that they are not to be paid.',
    fr: 'La cohorte « {0} » a des tours à venir ({1}) : refaites la demande en disant qu’ils ne doivent pas être payés.',
  },
  namesake: {
    en: 'The case {0} names this person, or somebody of the same name: ask again, and say whose case it is.',
    fr: 'Le dossier {0} nomme cette personne, ou quelqu’un du même nom : refaites la demande en disant de qui il s’agit.',
  },
}
