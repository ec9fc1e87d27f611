import type { Text } from '@portal/contracts/sentences'

/** The sentences of the transfers domain. */
export const say = {
  settings: { en: 'Transfer settings', fr: 'Réglages des transferts' },
  agencyCreated: { en: 'Transfer agency created', fr: 'Agence de transfert créée' },
  agencyUpdated: { en: 'Transfer agency updated', fr: 'Agence de transfert mise à jour' },
  changeProposed: {
    en: 'The change is proposed. It holds once another person confirms it.',
    fr: 'La modification est proposée. Elle prendra effet quand une autre personne l’aura confirmée.',
  },
  changeConfirmed: {
    en: 'The change is confirmed. The agency is used with it from now on.',
    fr: 'La modification est confirmée. L’agence est désormais utilisée ainsi.',
  },
  changeRefused: {
    en: 'The change was turned down. Nothing has changed.',
    fr: 'La modification a été refusée. Rien n’a changé.',
  },
  changeWithdrawn: {
    en: 'The change is withdrawn. Nothing has changed.',
    fr: 'La modification est retirée. Rien n’a changé.',
  },
  notOwnChange: {
    en: 'Somebody else proposed this change. They can withdraw it, and another person can refuse it.',
    fr: 'Une autre personne a proposé cette modification. Elle peut la retirer, et une autre peut la refuser.',
  },
  changeWasConfirmed: {
    en: 'Your change of the agency "{0}" was confirmed.',
    fr: 'Votre modification de l’agence « {0} » a été confirmée.',
  },
  changeWasRefused: {
    en: 'Your change of the agency "{0}" was turned down.',
    fr: 'Votre modification de l’agence « {0} » a été refusée.',
  },
  nothingChanges: {
    en: 'This is what the agency has already; nothing would change.',
    fr: 'L’agence est déjà ainsi ; rien ne changerait.',
  },
  changeWaits: {
    en: 'Another change of this agency waits for a second person. Confirm or refuse it first.',
    fr: 'Une autre modification de cette agence attend une seconde personne. Confirmez-la ou refusez-la d’abord.',
  },
  changeDecided: {
    en: 'Somebody has decided on this change in the meantime. Reload the page to see how.',
    fr: 'Une décision a été prise entre-temps sur cette modification. Rechargez la page pour la voir.',
  },
  ownChange: {
    en: 'You proposed this change, so somebody else must confirm it.',
    fr: 'Vous avez proposé cette modification : une autre personne doit la confirmer.',
  },
  outcomesOpen: {
    en: 'Open outcomes at "{1}": {0}. Its address and account cannot change before they are settled.',
    fr: 'Résultats en attente chez « {1} » : {0}. Son adresse et son compte ne peuvent changer avant qu’ils soient connus.',
  },
  parameterCreated: { en: 'Transfer parameter created', fr: 'Paramètre de transfert créé' },
  parameterUpdated: { en: 'Transfer parameter updated', fr: 'Paramètre de transfert mis à jour' },
  importStarted: {
    en: 'Transfer cohort import initiated...',
    fr: 'Import de la cohorte lancé...',
  },
  importSame: {
    en: 'This target list was uploaded before with the same name, period, agency and parameter. Nothing was made a second time.',
    fr: 'Cette liste cible a déjà été envoyée avec les mêmes nom, période, agence et paramètre. Rien n’a été créé une seconde fois.',
  },
  periodTooLong: {
    en: 'This period is longer than 20 years. Correct one of its dates.',
    fr: 'Cette période dépasse 20 ans. Corrigez l’une de ses dates.',
  },
  uploadInvalid: {
    en: 'Error: Form has validation errors!',
    fr: 'Erreur : le formulaire contient des erreurs de saisie !',
  },
  decisionInvalid: {
    en: 'Error: Validation errors! Please fill required fields and try again.',
    fr: 'Erreur de saisie ! Veuillez remplir les champs obligatoires et réessayer.',
  },
  approved: {
    en: 'Cohort approved. Payments that are being sent: {0,number}.',
    fr: 'Cohorte approuvée. Paiements en cours d’envoi : {0,number}.',
  },
  approvedLater: {
    en: 'Cohort approved. Payments that will be sent on {1}: {0,number}.',
    fr: 'Cohorte approuvée. Paiements qui seront envoyés le {1} : {0,number}.',
  },
  retried: {
    en: 'The cohort is approved again. Its round goes on.',
    fr: 'La cohorte est de nouveau approuvée. Son tour se poursuit.',
  },
  rejected: {
    en: 'Cohort rejected. The requester was notified.',
    fr: 'Cohorte rejetée. La personne qui l’a envoyée a été prévenue.',
  },
  stopped: {
    en: 'Nothing more is being sent. What was already sent is being settled.',
    fr: 'Plus rien n’est envoyé. Ce qui l’a déjà été est en cours de règlement.',
  },
  resumed: { en: 'Sending goes on.', fr: 'L’envoi reprend.' },
  closed: { en: 'The cohort is closed for good.', fr: 'La cohorte est clôturée définitivement.' },
  roundPaidBefore: {
    en: 'Round {0} counts as paid by its agency. Nothing is sent. Settle its payments with the agency’s statement or letter.',
    fr: 'Le tour {0} compte comme payé par son agence. Rien n’est envoyé. Réglez ses paiements avec le relevé ou la lettre de l’agence.',
  },
  roundStarted: { en: 'Round {0} has started.', fr: 'Le tour {0} a démarré.' },

  exportStarted: { en: 'Your export is being prepared.', fr: 'Votre export est en préparation.' },

  notImported: {
    en: 'The target list of this cohort is not imported yet.',
    fr: 'La liste cible de cette cohorte n’est pas encore importée.',
  },
  emptyList: { en: 'The list of this cohort is empty.', fr: 'La liste de cette cohorte est vide.' },
  agencyInactive: { en: 'The transfer agency is not active.', fr: 'L’agence de transfert n’est pas active.' },
  filesAreForBanks: {
    en: 'Files are for agencies of the type bank, whose lists have accounts.',
    fr: 'Les fichiers sont destinés aux agences de type banque, dont les listes ont des comptes.',
  },
  noConnector: {
    en: 'This portal cannot pay through this agency yet: it has no connector for its protocol.',
    fr: 'Ce portail ne peut pas encore payer par cette agence : il n’a pas de connecteur pour son protocole.',
  },
  detailMissing: {
    en: 'This agency cannot be used yet: its details lack "{0}". Change its address or account first.',
    fr: 'Cette agence ne peut pas encore être utilisée : il manque « {0} » dans ses détails. Modifiez d’abord son adresse ou son compte.',
  },
  parameterInactive: {
    en: 'The transfer parameter is not active.',
    fr: 'Le paramètre de transfert n’est pas actif.',
  },
  listChanged: {
    en: 'The list has changed since you opened it. Reload the page and look at it again.',
    fr: 'La liste a changé depuis que vous l’avez ouverte. Rechargez la page et vérifiez-la de nouveau.',
  },
  sumsChanged: {
    en: 'The sums of this round have changed since you opened it. Look at them, and confirm once more.',
    fr: 'Les montants de ce tour ont changé depuis que vous l’avez ouvert. Vérifiez-les, et confirmez une nouvelle fois.',
  },
  listForged: {
    en: 'The list is no longer the one that was imported. Reject it and upload it again.',
    fr: 'La liste n’est plus celle qui a été importée. Rejetez-la et envoyez-la de nouveau.',
  },
  alreadyDecided: {
    en: 'This cohort was decided in the meantime. Reload the page to see how.',
    fr: 'Une décision a été prise entre-temps pour cette cohorte. Rechargez la page pour la voir.',
  },
  overlap: {
    en: 'Students who are also in "{1}", whose period overlaps: {0,number}. Confirm that they are to be paid by both.',
    fr: 'Élèves qui figurent aussi dans « {1} », dont la période chevauche celle-ci : {0,number}. Confirmez que les deux cohortes doivent les payer.',
  },
  isClosed: {
    en: 'This cohort is closed for good: nothing of it can be paid or changed any more.',
    fr: 'Cette cohorte est clôturée définitivement : rien ne peut plus y être payé ni modifié.',
  },
  notRunning: { en: 'This cohort is not being paid.', fr: 'Cette cohorte n’est pas en cours de paiement.' },
  notStopped: { en: 'This cohort is not stopped.', fr: 'Cette cohorte n’est pas arrêtée.' },
  roundNotMissed: { en: 'Round {0} is not a missed one.', fr: 'Le tour {0} n’est pas un tour manqué.' },
  perhapsPaid: {
    en: 'Sending was held after this list was uploaded, and the portal cannot ask {0} whether it has paid this round already. Ask the agency, and say what it answered.',
    fr: 'L’envoi a été suspendu après l’import de cette liste, et le portail ne peut pas demander à {0} si ce tour a déjà été payé. Interrogez l’agence, puis indiquez ce qu’elle a répondu.',
  },
  perhapsPaidHeld: {
    en: 'Sending is held. Release it first: only then it is known whether the portal can ask the agency about this round itself.',
    fr: 'L’envoi est suspendu. Rétablissez-le d’abord : on saura alors seulement si le portail peut interroger lui-même l’agence sur ce tour.',
  },
  statedAsPaid: {
    en: '{0} has paid this round: a statement names {1,number} of its payments. Record it as paid, or withdraw the statement first.',
    fr: '{0} a payé ce tour : un relevé cite {1,number} de ses paiements. Enregistrez-le comme payé, ou retirez d’abord le relevé.',
  },
  statementCompared: {
    en: 'A statement of {0} is being compared, and may have payments of this round. Say what the agency answered once it is done.',
    fr: 'Un relevé de {0} est en cours de comparaison et peut contenir des paiements de ce tour. Dites ce que l’agence a répondu une fois la comparaison terminée.',
  },
  notPerhapsPaid: {
    en: 'The portal asks the agency about this round itself. Reload the page, and start it without an answer.',
    fr: 'Le portail interroge lui-même l’agence sur ce tour. Actualisez la page, puis lancez-le sans réponse.',
  },
  roundRunning: {
    en: 'Another round of this cohort still has payments to send. Wait until it has ended.',
    fr: 'Un autre tour de cette cohorte a encore des paiements à envoyer. Attendez qu’il soit terminé.',
  },
  notProgressing: {
    en: 'Payments by {0} are not progressing: some are open, and nothing has been settled for {1} minutes. Nothing is sent twice. Look at its cohorts, and ask the agency what is wrong.',
    fr: 'Les paiements par {0} n’avancent pas : certains sont en attente de résultat et rien n’a été réglé depuis {1} minutes. Rien n’est envoyé deux fois. Regardez ses cohortes et demandez à l’agence ce qui ne va pas.',
  },
  notProgressingSubject: {
    en: 'Payments by {0} are not progressing',
    fr: 'Les paiements par {0} n’avancent pas',
  },
  fileEmpty: {
    en: 'The file has no rows below its headings.',
    fr: 'Le fichier n’a aucune ligne sous ses en-têtes.',
  },
  noRowAccepted: {
    en: 'Every row of the file was rejected, so no cohort was made.',
    fr: 'Toutes les lignes du fichier ont été rejetées : aucune cohorte n’a été créée.',
  },
  nothingAccepted: {
    en: 'No row of this list is accepted, so there is nothing to import.',
    fr: 'Aucune ligne de cette liste n’est acceptée : il n’y a rien à importer.',
  },
  importFinished: { en: 'The target list "{0}" is imported.', fr: 'La liste cible « {0} » est importée.' },
} satisfies Record<string, Text>

/** Why a person may not decide on a cohort, by what she did. The first matching one is shown. */
export const fourEyesBars = {
  uploaded: {
    en: 'You uploaded this target list, so somebody else must decide on it.',
    fr: 'Vous avez envoyé cette liste cible : une autre personne doit en décider.',
  },
  corrected: {
    en: 'You corrected rows of this target list in its review, so somebody else must decide on it.',
    fr: 'Vous avez corrigé des lignes de cette liste cible lors de sa vérification : une autre personne doit en décider.',
  },
  confirmed: {
    en: 'You confirmed the review of this target list, so somebody else must decide on it.',
    fr: 'Vous avez confirmé la vérification de cette liste cible : une autre personne doit en décider.',
  },
  recipient: {
    en: 'You corrected a recipient of this list, so somebody else must decide on it.',
    fr: 'Vous avez corrigé un destinataire de cette liste : une autre personne doit en décider.',
  },
  agency: {
    en: 'You set up or changed the agency of this cohort, so somebody else must decide on it.',
    fr: 'Vous avez créé ou modifié l’agence de cette cohorte : une autre personne doit en décider.',
  },
  moved: {
    en: 'You proposed to pay this cohort through another agency, so somebody else must decide on it.',
    fr: 'Vous avez proposé de payer cette cohorte par une autre agence : une autre personne doit en décider.',
  },
  parameter: {
    en: 'You made the parameter of this cohort, so somebody else must decide on it.',
    fr: 'Vous avez créé le paramètre de cette cohorte : une autre personne doit en décider.',
  },
} satisfies Record<string, Text>

/** Why a cohort is in error, for the summary page. */
export const haltReasons = {
  unreachable: { en: 'The agency could not be reached.', fr: 'L’agence n’a pas pu être jointe.' },
  credentials: { en: 'The agency refused our credentials.', fr: 'L’agence a refusé nos identifiants.' },
  funds: { en: 'The paying account is empty.', fr: 'Le compte payeur est vide.' },
  inactive: { en: 'The agency was deactivated.', fr: 'L’agence a été désactivée.' },
  address: {
    en: 'The agency’s address may not be called.',
    fr: 'L’adresse de l’agence ne peut pas être appelée.',
  },
  list: {
    en: 'The list is no longer the one that was approved. Nothing is sent; tell the administrators.',
    fr: 'La liste n’est plus celle qui a été approuvée. Rien n’est envoyé ; prévenez les administrateurs.',
  },
} satisfies Record<string, Text>
export type HaltReason = keyof typeof haltReasons
