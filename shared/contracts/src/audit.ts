import * as v from 'valibot'
import { commonFieldWords } from './audit/common-fields.ts'
import { daysInOrder } from './days-in-order.ts'
import { endpoint } from './endpoint.ts'
import { day, id, listQuery, PersonName, page, searched } from './fields.ts'
import type { Locale, Text } from './sentences.ts'

const Values = v.nullable(v.record(v.string(), v.unknown()))

/** One entry of 'Recent User Logs': what changed, before and after. */
export const AuditLog = v.object({
  id: v.number(),
  created_at: v.string(),
  ip_address: v.nullable(v.string()),
  /** Null: nobody was signed in, or the portal itself acted. */
  user: v.nullable(v.object({ id: v.number(), ...PersonName.entries })),
  /** Words for it in `auditEvents`. */
  event: v.string(),
  /** Words for it in `auditTypes`. */
  auditable_type: v.string(),
  auditable_id: v.nullable(v.number()),
  /** Name or title of what was acted on, where it has one and the reader may see it; read when the log is read. */
  auditable_name: v.nullable(v.string()),
  /** The code by which it is known: of a student, a school, a case. */
  auditable_code: v.nullable(v.string()),
  /** What happened, in one sentence of the reader's language. The part with a link names what it is about. */
  sentence: v.array(v.object({ text: v.string(), link: v.nullable(v.string()) })),
  /** Where a value is the id of something that has a name, it stands as `{id, name}`, with `link` if a page shows it. */
  new_values: Values,
  old_values: Values,
  /** The values were emptied by an audited erasure. */
  erased: v.boolean(),
  user_agent: v.nullable(v.string()),
  /** The isolated module that called for the person, with its build: `mfe-health/0123456789ab`. */
  module: v.nullable(v.string()),
})
export type AuditLog = v.InferOutput<typeof AuditLog>

const Words = v.object({ en: v.string(), fr: v.string() })
/** What a field is called, and the values of its closed list. */
export const FieldWords = v.object({ label: Words, values: v.record(v.string(), Words) })
export type FieldWords = v.InferOutput<typeof FieldWords>

const filters = {
  /** Who acted. */
  user_id: v.optional(id),
  event: v.optional(v.pipe(v.string(), v.maxLength(100, 'invalid'))),
  auditable_type: v.optional(v.pipe(v.string(), v.maxLength(100, 'invalid'))),
  /** Days in UTC, both included. */
  from: v.optional(day),
  to: v.optional(day),
}

export const auditLogs = {
  /** Newest first. `until` (the `newest` of an earlier answer) keeps every later page where it was. */
  list: endpoint({
    method: 'GET',
    path: '/admin/users/audit/logs',
    access: 'audit-logs.view',
    query: v.pipe(listQuery(['created_at'], { ...filters, until: v.optional(id) }), daysInOrder()),
    answer: v.object({
      logs: page(AuditLog),
      newest: v.number(),
      /** More things are called what was searched for than the search looks at: a code finds the one. */
      too_many: v.boolean(),
    }),
  }),
  /** What the filters offer: what has happened so far, who did it, and what the changed fields are called. */
  filters: endpoint({
    method: 'GET',
    path: '/admin/users/audit/filters',
    access: 'audit-logs.view',
    answer: v.object({
      events: v.array(v.string()),
      auditable_types: v.array(v.string()),
      users: v.array(v.object({ id: v.number(), ...PersonName.entries })),
      /** By `auditable_type` and field; one that is not here shows its own name. */
      fields: v.record(v.string(), v.record(v.string(), FieldWords)),
      /** What the records of modules are called, and their fields, by `module/collection`. */
      records: v.record(
        v.string(),
        v.object({ label: v.nullable(Words), fields: v.record(v.string(), FieldWords) }),
      ),
    }),
  }),
  /** The list with its filters as Excel; answers 202 with the file's name. */
  export: endpoint({
    method: 'POST',
    path: '/admin/users/audit/logs/export',
    access: 'audit-logs.view',
    body: v.pipe(
      v.object({
        ...filters,
        search: searched,
      }),
      daysInOrder(),
    ),
    answer: v.object({ message: v.string(), file_name: v.string() }),
  }),
}

/** Events in words; one that is not here shows as it is. */
export const auditEvents: Record<string, Text> = {
  created: { en: 'Created', fr: 'Création' },
  updated: { en: 'Updated', fr: 'Modification' },
  deleted: { en: 'Deleted', fr: 'Suppression' },
  activated: { en: 'Activated', fr: 'Activation' },
  deactivated: { en: 'Deactivated', fr: 'Désactivation' },
  'marked as read': { en: 'Marked as read', fr: 'Marquage comme lu' },
  'marked as unread': { en: 'Marked as unread', fr: 'Marquage comme non lu' },
  'role assigned': { en: 'Role assigned', fr: 'Rôle attribué' },
  'role removed': { en: 'Role removed', fr: 'Rôle retiré' },
  'permissions assigned': { en: 'Permissions assigned', fr: 'Permissions attribuées' },
  'signed in': { en: 'Signed in', fr: 'Connexion' },
  'sign-in failed': { en: 'Sign-in failed', fr: 'Échec de connexion' },
  'provider sign-in failed': {
    en: 'Sign-in through a provider failed',
    fr: 'Échec de connexion par un fournisseur',
  },
  'signed out': { en: 'Signed out', fr: 'Déconnexion' },
  'session ended': { en: 'Signed out elsewhere', fr: 'Déconnexion d’un autre appareil' },
  'sessions ended': { en: 'Signed out everywhere', fr: 'Déconnexion de tous les appareils' },
  invited: { en: 'Invited', fr: 'Invitation' },
  'password reset asked': { en: 'Password reset asked for', fr: 'Réinitialisation demandée' },
  'password set': { en: 'Password set by link', fr: 'Mot de passe défini par lien' },
  'password changed': { en: 'Password changed', fr: 'Mot de passe modifié' },
  'codes turned on': { en: 'One-time codes turned on', fr: 'Codes à usage unique activés' },
  'codes turned off': { en: 'One-time codes turned off', fr: 'Codes à usage unique désactivés' },
  'recovery codes renewed': { en: 'New recovery codes', fr: 'Nouveaux codes de récupération' },
  'recovery code used': { en: 'Recovery code used', fr: 'Code de récupération utilisé' },
  uploaded: { en: 'Uploaded', fr: 'Envoi d’un fichier' },
  imported: { en: 'Imported', fr: 'Import' },
  exported: { en: 'Exported', fr: 'Export' },
  counted: { en: 'Counted', fr: 'Calcul' },
  opened: { en: 'Opened', fr: 'Consultation' },
  searched: { en: 'Searched', fr: 'Recherche' },
  downloaded: { en: 'Downloaded', fr: 'Téléchargement' },
  refused: { en: 'Refused call', fr: 'Appel refusé' },
  cancelled: { en: 'Cancelled', fr: 'Annulation' },
  approved: { en: 'Approved', fr: 'Approbation' },
  rejected: { en: 'Rejected', fr: 'Rejet' },
  stopped: { en: 'Stopped', fr: 'Arrêt' },
  resumed: { en: 'Resumed', fr: 'Reprise' },
  'names asked': { en: 'Names checked at the agency', fr: 'Noms vérifiés auprès de l’agence' },
  'name asked': { en: 'Name checked at the agency', fr: 'Nom vérifié auprès de l’agence' },
  'names cancelled': { en: 'Check of names cancelled', fr: 'Vérification des noms annulée' },
  'cohort closed': { en: 'Cohort closed', fr: 'Cohorte clôturée' },
  'round started': { en: 'Round started', fr: 'Tour lancé' },
  'round missed': { en: 'Round missed', fr: 'Tour manqué' },
  'not progressing': { en: 'Payments not progressing', fr: 'Paiements qui n’avancent pas' },
  'sending held': { en: 'Payments held', fr: 'Paiements suspendus' },
  'held round confirmed': { en: 'Held round confirmed', fr: 'Tour suspendu confirmé' },
  'sending released': { en: 'Payments released', fr: 'Envoi des paiements rétabli' },
  'payment error': { en: 'Payment error', fr: 'Erreur de paiement' },
  confirmed: { en: 'Confirmed', fr: 'Confirmation' },
  'change proposed': { en: 'Change proposed', fr: 'Modification proposée' },
  'change confirmed': { en: 'Change confirmed', fr: 'Modification confirmée' },
  'approval limit set': { en: 'Limit of approval set', fr: 'Plafond d’approbation fixé' },
  'budget proposed': { en: 'Budget proposed', fr: 'Budget proposé' },
  'budget confirmed': { en: 'Budget confirmed', fr: 'Budget confirmé' },
  'budget withdrawn': { en: 'Budget withdrawn', fr: 'Budget retiré' },
  'budget refused': { en: 'Budget refused', fr: 'Budget refusé' },
  'change withdrawn': { en: 'Change withdrawn', fr: 'Modification retirée' },
  'change refused': { en: 'Change refused', fr: 'Modification refusée' },
  corrected: { en: 'Corrected', fr: 'Correction' },
  'corrections kept': { en: 'Corrections of others kept', fr: 'Corrections des autres conservées' },
  assigned: { en: 'Reassigned', fr: 'Réattribution' },
  'document added': { en: 'Document added', fr: 'Document ajouté' },
  'activity recorded': { en: 'Activity recorded', fr: 'Activité enregistrée' },
  referred: { en: 'Referred', fr: 'Avis demandé' },
  answered: { en: 'Consultation answered', fr: 'Avis rendu' },
  declined: { en: 'Consultation declined', fr: 'Demande d’avis déclinée' },
  'referral revoked': { en: 'Consultation withdrawn', fr: 'Demande d’avis retirée' },
  'referral expired': { en: 'Consultation expired', fr: 'Demande d’avis expirée' },
  resolved: { en: 'Resolved', fr: 'Résolution' },
  enabled: { en: 'Enabled', fr: 'Module activé' },
  disabled: { en: 'Disabled', fr: 'Module désactivé' },
  admitted: { en: 'Admitted', fr: 'Module admis' },
  trusted: { en: 'Trusted', fr: 'Module reconnu fiable' },
  isolated: { en: 'Isolated', fr: 'Module isolé' },
  'flag decided': { en: 'Feature flag decided', fr: 'Option d’un module décidée' },
  'setting changed': { en: 'Setting of a module changed', fr: 'Réglage d’un module modifié' },
  'people told': { en: 'People told by a module', fr: 'Personnes averties par un module' },
  'sent to its server': { en: 'Sent to the server of a module', fr: 'Envoi au serveur d’un module' },
  'rolled back': { en: 'Rolled back', fr: 'Retour à la version précédente' },
  'permission added': { en: 'Permission added', fr: 'Permission ajoutée' },
  'permission dropped': { en: 'Permission dropped', fr: 'Permission retirée' },
  erased: { en: 'Values erased', fr: 'Valeurs effacées' },
  'old data deleted': { en: 'Old data deleted', fr: 'Données anciennes supprimées' },
  'letters sent from the outbox': {
    en: 'Letters sent from the outbox',
    fr: 'Lettres envoyées depuis la boîte d’envoi',
  },
  'person exported': { en: 'Data of a person exported', fr: 'Données d’une personne exportées' },
  'erasure asked': { en: 'Erasure asked for', fr: 'Effacement demandé' },
  'erasure approved': { en: 'Erasure approved', fr: 'Effacement approuvé' },
  'erasure refused': { en: 'Erasure refused', fr: 'Effacement refusé' },
  'erasure withdrawn': { en: 'Erasure taken back', fr: 'Demande d’effacement retirée' },
  'erasure stopped': { en: 'Erasure stopped', fr: 'Effacement arrêté' },
  'person erased': { en: 'Person erased', fr: 'Personne effacée' },
  revoked: { en: 'Revoked', fr: 'Révocation' },
  retried: { en: 'Tried again', fr: 'Relance' },
  'correction proposed': { en: 'Correction proposed', fr: 'Correction proposée' },
  'correction approved': { en: 'Correction approved', fr: 'Correction approuvée' },
  'correction withdrawn': { en: 'Correction withdrawn', fr: 'Correction retirée' },
  'correction refused': { en: 'Correction refused', fr: 'Correction refusée' },
  'written off': { en: 'Written off', fr: 'Passage en perte' },
  'payee held': { en: 'Girl put on hold', fr: 'Élève bloquée' },
  'payee released': { en: 'Girl released from hold', fr: 'Élève débloquée' },
  'payee hold ended': { en: 'Hold of a girl ended', fr: 'Fin du blocage d’une élève' },
  'statement signed': { en: 'Statement signed', fr: 'Relevé signé' },
  'statement withdrawn': { en: 'Statement withdrawn', fr: 'Relevé retiré' },
  'differences resolved': { en: 'Differences resolved', fr: 'Écarts résolus' },
  'settlement proposed': { en: 'Settlement of a payment proposed', fr: 'Règlement d’un paiement proposé' },
  'settlement approved': { en: 'Settlement of a payment approved', fr: 'Règlement d’un paiement approuvé' },
  'move proposed': { en: 'Move to another agency proposed', fr: 'Changement d’agence proposé' },
  'move approved': { en: 'Move to another agency approved', fr: 'Changement d’agence approuvé' },
  'move refused': { en: 'Move to another agency refused', fr: 'Changement d’agence refusé' },
  'move withdrawn': { en: 'Move to another agency withdrawn', fr: 'Changement d’agence retiré' },
  'settlement withdrawn': { en: 'Settlement of a payment withdrawn', fr: 'Règlement d’un paiement retiré' },
  'settlement refused': { en: 'Settlement of a payment refused', fr: 'Règlement d’un paiement refusé' },
  'bank file made': { en: 'Bank file made', fr: 'Fichier bancaire créé' },
  'bank answer uploaded': { en: 'Answer of a bank uploaded', fr: 'Réponse d’une banque importée' },
  'exception closed': { en: 'Answer of an agency decided on', fr: 'Décision sur une réponse de l’agence' },
  'demo made': { en: 'Demo made', fr: 'Démonstration créée' },
}

/** What was acted on, in words; a type that is not here shows as it is. */
export const auditTypes: Record<string, Text> = {
  user: { en: 'User', fr: 'Utilisateur' },
  role: { en: 'Role', fr: 'Rôle' },
  session: { en: 'Session', fr: 'Session' },
  'saved view': { en: 'Saved view', fr: 'Vue enregistrée' },
  notification: { en: 'Notification', fr: 'Notification' },
  notifications: { en: 'All notifications', fr: 'Toutes les notifications' },
  audit: { en: 'Audit log', fr: 'Journal d’audit' },
  'sending hold': { en: 'Hold of payments', fr: 'Suspension des paiements' },
  location: { en: 'Location', fr: 'Localité' },
  school: { en: 'School', fr: 'Établissement' },
  teacher: { en: 'Teacher', fr: 'Enseignant' },
  student: { en: 'Student', fr: 'Élève' },
  parent: { en: 'Guardian', fr: 'Tuteur ou tutrice' },
  partner: { en: 'Partner', fr: 'Partenaire' },
  agency: { en: 'Transfer agency', fr: 'Agence de transfert' },
  parameter: { en: 'Transfer parameter', fr: 'Paramètre de transfert' },
  cohort: { en: 'Cohort', fr: 'Cohorte' },
  round: { en: 'Disbursement round', fr: 'Tour de décaissement' },
  payment: { en: 'Payment', fr: 'Paiement' },
  arrears: { en: 'Arrears', fr: 'Arriérés' },
  exceptions: { en: 'Answers to look at', fr: 'Réponses à examiner' },
  'payee holds': { en: 'Girls on hold', fr: 'Élèves bloquées' },
  statements: { en: 'List of statements', fr: 'Liste des relevés' },
  'donor report': { en: 'Report for donors', fr: 'Rapport aux bailleurs' },
  'target selection': { en: 'Selection of girls', fr: 'Sélection d’élèves' },
  accounting: { en: 'Accounting', fr: 'Comptabilité' },
  reconciliation: { en: 'Reconciliations', fr: 'Rapprochements' },
  statement: { en: 'Statement of an agency', fr: 'Relevé d’une agence' },
  call: { en: 'Call', fr: 'Appel' },
  import: { en: 'Import', fr: 'Import' },
  export: { en: 'Export', fr: 'Export' },
  case: { en: 'Case', fr: 'Dossier' },
  referral: { en: 'Referral', fr: 'Demande d’avis' },
  'module token': { en: 'Token of a module', fr: 'Jeton d’un module' },
  'sync token': { en: 'Sync token', fr: 'Jeton de synchronisation' },
  message: { en: 'Message', fr: 'Message' },
  module: { en: 'Module', fr: 'Module' },
  'module record': { en: 'Record of a module', fr: 'Fiche d’un module' },
  installation: { en: 'Installation', fr: 'Installation' },
}

/** A field in words: as its noun calls it in `words`, else as all do; one that nobody knows shows its own name. */
export const auditFieldName = (
  field: string,
  locale: Locale,
  words: Record<string, FieldWords> = {},
): string =>
  words[field]?.label[locale] ??
  commonFieldWords[field]?.[locale] ??
  ofModule(field)?.[locale] ??
  field.replaceAll('_', ' ')

/** What a person chose for the notices of a module. */
function ofModule(field: string): Text | undefined {
  const [, way, module] = /^(bell|mail)_(mfe-.+)$/.exec(field) ?? []
  if (!module) return undefined
  return way === 'bell'
    ? { en: `bell for the module ${module}`, fr: `cloche pour le module ${module}` }
    : { en: `mail for the module ${module}`, fr: `e-mail pour le module ${module}` }
}
