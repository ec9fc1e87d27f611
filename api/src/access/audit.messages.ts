import type { Text } from '@portal/contracts/sentences'

/**
 * What happened, as a sentence. `{who}` acted, `{what}` is what it was about, `{of}` the same with `of`, `{to}` with `to` before
 * it, `{whose}` in the genitive; `{field}` is the only field that changed, other parts are values of the entry. An event that
 * means something else for one type stands with its type.
 */
export const sentences: Record<string, Text> = {
  created: { en: '{who} added {what}', fr: '{who} a ajouté {what}' },
  'created case': { en: '{who} filed {what}', fr: '{who} a enregistré {what}' },
  updated: { en: '{who} changed {what}', fr: '{who} a modifié {what}' },
  'updated person': { en: '{who} changed {what}', fr: '{who} a modifié les données {of}' },
  'updated field': { en: '{who} changed the {field} {of}', fr: '{who} a modifié {field} {of}' },
  'updated field person': { en: '{who} changed {whose} {field}', fr: '{who} a modifié {field} {of}' },
  deleted: { en: '{who} deleted {what}', fr: '{who} a supprimé {what}' },
  'marked as read': { en: '{who} marked {what} as read', fr: '{who} a marqué {what} comme lue' },
  'marked as read notifications': {
    en: '{who} marked {what} as read',
    fr: '{who} a marqué {what} comme lues',
  },
  'marked as unread': { en: '{who} marked {what} as unread', fr: '{who} a marqué {what} comme non lue' },
  activated: { en: '{who} activated the account {of}', fr: '{who} a activé le compte {of}' },
  deactivated: { en: '{who} deactivated the account {of}', fr: '{who} a désactivé le compte {of}' },
  'role assigned': { en: '{who} gave {what} the role {role}', fr: '{who} a attribué {to} le rôle {role}' },
  'role removed': { en: '{who} took the role {role} from {what}', fr: '{who} a retiré {to} le rôle {role}' },
  'permissions assigned': {
    en: '{who} changed the permissions {of}',
    fr: '{who} a modifié les permissions {of}',
  },
  'signed in': { en: '{who} signed in', fr: '{who} a ouvert une session' },
  'sign-in failed': { en: 'A sign-in as {what} failed', fr: 'Une connexion au nom {of} a échoué' },
  'sign-in failed nobody': {
    en: 'A sign-in with an e-mail that no account has failed',
    fr: 'Une connexion avec un e-mail qui n’existe pas a échoué',
  },
  'provider sign-in failed': {
    en: 'A sign-in as {what} through {provider} failed',
    fr: 'Une connexion au nom {of} par {provider} a échoué',
  },
  'provider sign-in failed nobody': {
    en: 'A sign-in through {provider} failed',
    fr: 'Une connexion par {provider} a échoué',
  },
  'signed out': { en: '{who} signed out', fr: '{who} a fermé sa session' },
  'session ended': {
    en: '{who} signed out on another device',
    fr: '{who} a fermé sa session sur un autre appareil',
  },
  'sessions ended': {
    en: '{who} signed {what} out everywhere',
    fr: '{who} a déconnecté {what} de tous les appareils',
  },
  invited: { en: '{who} invited {what} to the portal', fr: '{who} a invité {what} à utiliser le portail' },
  'password reset asked': {
    en: 'A new password was asked for on behalf {of}',
    fr: 'Un nouveau mot de passe a été demandé au nom {of}',
  },
  'password set': {
    en: '{who} set a password by a link',
    fr: '{who} a défini son mot de passe par un lien',
  },
  'password changed': { en: '{who} changed their password', fr: '{who} a modifié son mot de passe' },
  'codes turned on': { en: '{who} turned on one-time codes', fr: '{who} a activé les codes à usage unique' },
  'codes turned off': {
    en: '{who} turned off the one-time codes {of}',
    fr: '{who} a désactivé les codes à usage unique {of}',
  },
  'recovery codes renewed': {
    en: '{who} got new recovery codes',
    fr: '{who} a obtenu de nouveaux codes de récupération',
  },
  'recovery code used': {
    en: 'A recovery code {of} was used',
    fr: 'Un code de récupération {of} a été utilisé',
  },
  uploaded: { en: '{who} uploaded {what}', fr: '{who} a envoyé {what}' },
  'uploaded cohort': { en: '{who} uploaded the list {of}', fr: '{who} a envoyé la liste {of}' },
  imported: { en: '{who} imported {what}', fr: '{who} a importé {what}' },
  'imported cohort': { en: '{who} imported the list {of}', fr: '{who} a importé la liste {of}' },
  exported: { en: '{who} exported {what}', fr: '{who} a exporté {what}' },
  'exported audit': { en: '{who} exported the audit log', fr: '{who} a exporté le journal d’audit' },
  'exported student': {
    en: '{who} exported the students (rows: {row_count})',
    fr: '{who} a exporté les élèves (lignes : {row_count})',
  },
  'exported school': {
    en: '{who} exported the schools (rows: {row_count})',
    fr: '{who} a exporté les établissements (lignes : {row_count})',
  },
  'exported reconciliation': {
    en: '{who} exported the reconciliations (rows: {row_count})',
    fr: '{who} a exporté les rapprochements (lignes : {row_count})',
  },
  'exported arrears': {
    en: '{who} exported the arrears (rows: {row_count})',
    fr: '{who} a exporté les arriérés (lignes : {row_count})',
  },
  counted: {
    en: '{who} had the report for donors counted',
    fr: '{who} a fait calculer le rapport aux bailleurs',
  },
  'exported donor report': {
    en: '{who} exported the report for donors (rows: {row_count})',
    fr: '{who} a exporté le rapport aux bailleurs (lignes : {row_count})',
  },
  'exported target selection': {
    en: '{who} exported a target list from the register (rows: {row_count})',
    fr: '{who} a exporté une liste cible du registre (lignes : {row_count})',
  },
  'exported exceptions': {
    en: '{who} exported the answers to look at (rows: {row_count})',
    fr: '{who} a exporté les réponses à examiner (lignes : {row_count})',
  },
  'exported payee holds': {
    en: '{who} exported the girls on hold (rows: {row_count})',
    fr: '{who} a exporté les élèves bloquées (lignes : {row_count})',
  },
  'exported statements': {
    en: '{who} exported the list of statements (rows: {row_count})',
    fr: '{who} a exporté la liste des relevés (lignes : {row_count})',
  },
  'exported cohort': {
    en: '{who} exported the list {of} (rows: {row_count})',
    fr: '{who} a exporté la liste {of} (lignes : {row_count})',
  },
  'exported round': {
    en: '{who} exported the payments {of} (rows: {row_count})',
    fr: '{who} a exporté les paiements {of} (lignes : {row_count})',
  },
  opened: { en: '{who} opened {what}', fr: '{who} a ouvert {what}' },
  'opened person': { en: '{who} opened {whose} page', fr: '{who} a ouvert la fiche {of}' },
  searched: { en: '{who} searched the register', fr: '{who} a fait une recherche dans le registre' },
  'searched student': {
    en: '{who} searched the students',
    fr: '{who} a fait une recherche parmi les élèves',
  },
  'searched parent': {
    en: '{who} searched the guardians',
    fr: '{who} a fait une recherche parmi les tuteurs',
  },
  'searched teacher': {
    en: '{who} searched the teachers',
    fr: '{who} a fait une recherche parmi les enseignants',
  },
  'searched case': {
    en: '{who} searched the cases',
    fr: '{who} a fait une recherche parmi les dossiers',
  },
  'searched module record': {
    en: '{who} searched the records of a module',
    fr: '{who} a fait une recherche parmi les fiches d’un module',
  },
  downloaded: { en: '{who} downloaded {what}', fr: '{who} a téléchargé {what}' },
  'downloaded case': {
    en: '{who} downloaded a document {of}',
    fr: '{who} a téléchargé une pièce {of}',
  },
  refused: { en: '{who} was refused a call', fr: '{who} s’est vu refuser un appel' },
  cancelled: { en: '{who} cancelled the import {of}', fr: '{who} a annulé l’import {of}' },
  approved: { en: '{who} approved {what}', fr: '{who} a approuvé {what}' },
  rejected: { en: '{who} rejected {what}', fr: '{who} a rejeté {what}' },
  stopped: { en: '{who} stopped the payments {of}', fr: '{who} a arrêté les paiements {of}' },
  'names asked': {
    en: '{who} had the agency asked about the names of {what}',
    fr: '{who} a fait vérifier auprès de l’agence les noms {of}',
  },
  'name asked': {
    en: '{who} had the agency asked about a name of {what}',
    fr: '{who} a fait vérifier auprès de l’agence un nom {of}',
  },
  'names cancelled': {
    en: '{who} cancelled the check of the names of {what}',
    fr: '{who} a annulé la vérification des noms {of}',
  },
  'cohort closed': { en: '{who} closed {what} for good', fr: '{who} a clôturé définitivement {what}' },
  resumed: { en: '{who} resumed the payments {of}', fr: '{who} a repris les paiements {of}' },
  'round started': { en: '{who} started round {round} {of}', fr: '{who} a lancé le tour {round} {of}' },
  'round missed': { en: 'Round {round} {of} was missed', fr: 'Le tour {round} {of} a été manqué' },
  'not progressing': {
    en: 'The payments {of} have not progressed for {minutes} minutes',
    fr: 'Les paiements {of} n’avancent pas depuis {minutes} minutes',
  },
  'sending held': { en: '{who} held all payments', fr: '{who} a suspendu tous les paiements' },
  'held round confirmed': { en: '{who} confirmed a held round', fr: '{who} a confirmé un tour suspendu' },
  'sending released': { en: '{who} released the payments', fr: '{who} a rétabli l’envoi des paiements' },
  'payment error': {
    en: 'The payments {of} stopped with an error',
    fr: 'Les paiements {of} se sont arrêtés sur une erreur',
  },
  confirmed: { en: '{who} confirmed the import {of}', fr: '{who} a confirmé l’import {of}' },
  'change proposed': {
    en: '{who} proposed a change {of}',
    fr: '{who} a proposé une modification {of}',
  },
  'change confirmed': {
    en: '{who} confirmed the change {of}',
    fr: '{who} a confirmé la modification {of}',
  },
  'change withdrawn': {
    en: '{who} withdrew the proposed change {of}',
    fr: '{who} a retiré sa proposition de modification {of}',
  },
  'change refused': { en: '{who} refused the change {of}', fr: '{who} a refusé la modification {of}' },
  'approval limit set': {
    en: '{who} set the limit of approval {of}',
    fr: '{who} a fixé le plafond d’approbation {of}',
  },
  'flag decided': {
    en: '{who} decided who has the feature flag {flag} of {what}',
    fr: '{who} a décidé qui dispose de l’option {flag} {of}',
  },
  'setting changed': {
    en: '{who} changed the setting {setting} of {what}',
    fr: '{who} a modifié le réglage {setting} {of}',
  },
  'people told': {
    en: '{who} told people of {what}',
    fr: '{who} a averti des personnes à propos {of}',
  },
  'sent to its server': {
    en: '{who} sent something to the server of a module',
    fr: '{who} a fait un envoi au serveur d’un module',
  },
  'budget proposed': {
    en: '{who} proposed a budget for {year} {of}',
    fr: '{who} a proposé un budget pour {year} {of}',
  },
  'budget confirmed': {
    en: '{who} confirmed the budget for {year} {of}',
    fr: '{who} a confirmé le budget pour {year} {of}',
  },
  'budget withdrawn': {
    en: '{who} withdrew the proposed budget for {year} {of}',
    fr: '{who} a retiré sa proposition de budget pour {year} {of}',
  },
  'budget refused': {
    en: '{who} refused the budget for {year} {of}',
    fr: '{who} a refusé le budget pour {year} {of}',
  },
  corrected: { en: '{who} corrected {what}', fr: '{who} a corrigé {what}' },
  'corrections kept': {
    en: '{who} kept what was corrected for others in {what} when a person was erased',
    fr: '{who} a conservé les corrections d’autres personnes dans {what} lors d’un effacement',
  },
  assigned: { en: '{who} gave {what} to {assigned_id}', fr: '{who} a confié {what} à {assigned_id}' },
  'document added': { en: '{who} added a document {to}', fr: '{who} a ajouté une pièce {to}' },
  'activity recorded': {
    en: '{who} recorded an activity in {what}',
    fr: '{who} a noté une activité dans {what}',
  },
  referred: { en: '{who} asked an expert about {what}', fr: '{who} a demandé un avis externe sur {what}' },
  answered: { en: 'The expert answered {what}', fr: 'L’expert a répondu {to}' },
  declined: { en: 'The expert declined {what}', fr: 'L’expert a décliné {what}' },
  'referral revoked': {
    en: '{who} withdrew the consultation on {what}',
    fr: '{who} a retiré la demande d’avis sur {what}',
  },
  'referral expired': {
    en: 'The consultation on {what} expired',
    fr: 'La demande d’avis sur {what} a expiré',
  },
  resolved: { en: '{who} resolved {what}', fr: '{who} a résolu {what}' },
  enabled: { en: '{who} enabled {what}', fr: '{who} a activé {what}' },
  disabled: { en: '{who} disabled {what}', fr: '{who} a désactivé {what}' },
  admitted: { en: '{who} admitted a version of {what}', fr: '{who} a admis une version {of}' },
  trusted: { en: '{who} trusted a version of {what}', fr: '{who} a fait confiance à une version {of}' },
  isolated: { en: '{who} isolated a version of {what}', fr: '{who} a isolé une version {of}' },
  'rolled back': {
    en: '{who} put {what} back to the version before',
    fr: '{who} a remis {what} à sa version précédente',
  },
  'permission added': {
    en: 'The permission {permission} came with {what}',
    fr: 'La permission {permission} est venue avec {what}',
  },
  'permission dropped': {
    en: 'The permission {permission} left with a version of {what}',
    fr: 'La permission {permission} a disparu avec une version {of}',
  },
  erased: { en: '{who} erased the values {of}', fr: '{who} a effacé les valeurs {of}' },
  'old data deleted': {
    en: '{who} deleted data whose time was over',
    fr: '{who} a supprimé des données arrivées à échéance',
  },
  'letters sent from the outbox': {
    en: '{who} sent letters that had waited in the outbox',
    fr: '{who} a envoyé des lettres qui attendaient dans la boîte d’envoi',
  },
  'person exported': {
    en: '{who} exported all data {of}',
    fr: '{who} a exporté toutes les données {of}',
  },
  'erasure asked': {
    en: '{who} asked that the data {of} be erased',
    fr: '{who} a demandé l’effacement des données {of}',
  },
  'erasure approved': {
    en: '{who} approved the erasure of the data {of}',
    fr: '{who} a approuvé l’effacement des données {of}',
  },
  'erasure refused': {
    en: '{who} refused the erasure of the data {of}',
    fr: '{who} a refusé l’effacement des données {of}',
  },
  'erasure withdrawn': {
    en: '{who} took back the request to erase the data {of}',
    fr: '{who} a retiré la demande d’effacer les données {of}',
  },
  'erasure stopped': {
    en: 'The erasure of the data {of} could not be carried out',
    fr: 'L’effacement des données {of} n’a pas pu être exécuté',
  },
  'person erased': { en: '{who} erased the data {of}', fr: '{who} a effacé les données {of}' },
  revoked: { en: '{who} revoked {what}', fr: '{who} a révoqué {what}' },
  retried: { en: '{who} tried {what} again', fr: '{who} a relancé {what}' },
  'retried cohort': {
    en: '{who} had failed payments {of} made again',
    fr: '{who} a relancé des paiements échoués {of}',
  },
  'correction proposed': {
    en: '{who} proposed a correction of a recipient {of}',
    fr: '{who} a proposé de corriger un destinataire {of}',
  },
  'correction approved': {
    en: '{who} approved the correction of a recipient {of}',
    fr: '{who} a approuvé la correction d’un destinataire {of}',
  },
  'correction withdrawn': {
    en: '{who} withdrew the correction of a recipient {of}',
    fr: '{who} a retiré la correction d’un destinataire {of}',
  },
  'correction refused': {
    en: '{who} refused the correction of a recipient {of}',
    fr: '{who} a refusé la correction d’un destinataire {of}',
  },
  'written off': { en: '{who} wrote off {what}', fr: '{who} a passé en perte {what}' },
  'payee held': {
    en: '{who} put payments to {what} on hold',
    fr: '{who} a bloqué les paiements {of}',
  },
  'payee released': {
    en: '{who} released payments to {what}',
    fr: '{who} a débloqué les paiements {of}',
  },
  'payee hold ended': {
    en: 'The hold of payments to {what} ended',
    fr: 'Le blocage des paiements {of} a pris fin',
  },
  'statement signed': { en: '{who} signed {what}', fr: '{who} a signé {what}' },
  'statement withdrawn': { en: '{who} withdrew {what}', fr: '{who} a retiré {what}' },
  'differences resolved': {
    en: '{who} resolved differences {of}',
    fr: '{who} a résolu des écarts {of}',
  },
  'move proposed': {
    en: '{who} proposed to pay {what} through another agency',
    fr: '{who} a proposé de payer {what} par une autre agence',
  },
  'move approved': {
    en: '{who} approved that {what} is paid through another agency',
    fr: '{who} a approuvé que {what} soit payée par une autre agence',
  },
  'move refused': {
    en: '{who} refused to pay {what} through another agency',
    fr: '{who} a refusé de payer {what} par une autre agence',
  },
  'move withdrawn': {
    en: '{who} withdrew the proposal to pay {what} through another agency',
    fr: '{who} a retiré sa proposition de payer {what} par une autre agence',
  },
  'settlement proposed': {
    en: '{who} proposed to settle {what} with evidence',
    fr: '{who} a proposé de régler {what} sur justificatif',
  },
  'settlement approved': {
    en: '{who} approved the settlement {of}',
    fr: '{who} a approuvé le règlement {of}',
  },
  'settlement withdrawn': {
    en: '{who} withdrew the settlement {of}',
    fr: '{who} a retiré le règlement {of}',
  },
  'settlement refused': {
    en: '{who} refused the settlement {of}',
    fr: '{who} a refusé le règlement {of}',
  },
  'bank file made': {
    en: '{who} made the bank file {of}',
    fr: '{who} a créé le fichier bancaire {of}',
  },
  'bank answer uploaded': {
    en: '{who} uploaded what the bank answered about {what}',
    fr: '{who} a importé la réponse de la banque sur {what}',
  },
  'exception closed': {
    en: '{who} decided on an answer of the agency about {what}',
    fr: '{who} a décidé d’une réponse de l’agence sur {what}',
  },
  'demo made': { en: '{who} made the demo', fr: '{who} a créé la démonstration' },
}

/** What an entry is about, as a sentence names it, before its name or its number. */
export const nouns: Record<string, Text> = {
  user: { en: 'the account', fr: 'l’utilisateur' },
  role: { en: 'the role', fr: 'le rôle' },
  session: { en: 'the session', fr: 'la session' },
  'saved view': { en: 'the view', fr: 'la vue' },
  notification: { en: 'the notification', fr: 'la notification' },
  notifications: { en: 'all notifications', fr: 'toutes les notifications' },
  audit: { en: 'the entry', fr: 'l’entrée' },
  'sending hold': { en: 'the hold', fr: 'la suspension' },
  location: { en: 'the location', fr: 'la localité' },
  school: { en: 'the school', fr: 'l’établissement' },
  teacher: { en: 'the teacher', fr: 'l’enseignant' },
  student: { en: 'the student', fr: 'l’élève' },
  parent: { en: 'the guardian', fr: 'le tuteur' },
  partner: { en: 'the partner', fr: 'le partenaire' },
  agency: { en: 'the agency', fr: 'l’agence' },
  parameter: { en: 'the parameter', fr: 'le paramètre' },
  cohort: { en: 'the cohort', fr: 'la cohorte' },
  round: { en: 'the round', fr: 'le tour' },
  payment: { en: 'the payment', fr: 'le paiement' },
  statement: { en: 'the statement', fr: 'le relevé' },
  arrears: { en: 'the arrears', fr: 'les arriérés' },
  exceptions: { en: 'the answers to look at', fr: 'les réponses à examiner' },
  'payee holds': { en: 'the girls on hold', fr: 'les élèves bloquées' },
  statements: { en: 'the statements', fr: 'les relevés' },
  'donor report': { en: 'the report for donors', fr: 'le rapport aux bailleurs' },
  'target selection': { en: 'the selection', fr: 'la sélection' },
  accounting: { en: 'the accounting', fr: 'la comptabilité' },
  reconciliation: { en: 'the reconciliations', fr: 'les rapprochements' },
  call: { en: 'the call', fr: 'l’appel' },
  import: { en: 'the file', fr: 'le fichier' },
  export: { en: 'the Excel file', fr: 'le fichier Excel' },
  case: { en: 'the case', fr: 'le dossier' },
  referral: { en: 'the consultation', fr: 'la demande d’avis' },
  'module token': { en: 'the token', fr: 'le jeton' },
  'sync token': { en: 'the sync token', fr: 'le jeton' },
  message: { en: 'the message', fr: 'le message reçu' },
  module: { en: 'the module', fr: 'le module' },
  'module record': { en: 'the record', fr: 'la fiche' },
  installation: { en: 'the demo', fr: 'la démonstration' },
}

/** Other parts of a sentence. */
export const parts = {
  portal: { en: 'The portal', fr: 'Le portail' },
  visitor: { en: 'Somebody who is not signed in', fr: 'Une personne non connectée' },
  ownAccount: { en: 'their own account', fr: 'son propre compte' },
  number: { en: '#{0}', fr: 'n° {0}' },
  more: { en: 'and {0} more', fr: 'et {0} de plus' },
  erased: { en: 'the values are erased', fr: 'les valeurs sont effacées' },
} satisfies Record<string, Text>
