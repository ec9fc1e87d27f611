import type { permissions } from '../permissions.ts'
import type { Text } from '../sentences.ts'

/** Permissions of the product itself; those of a partner's module have their words in its manifest. */
type Own = (typeof permissions)[number]
type Resource = Own extends `${infer Before}.${string}` ? Before : never
type Action = Own extends `${string}.${infer After}` ? After : never

/** What a permission is about: the part before its dot. */
export const resourceWords: Record<Resource, Text> = {
  users: { en: 'Users', fr: 'Utilisateurs' },
  roles: { en: 'Roles', fr: 'Rôles' },
  permissions: { en: 'Permissions', fr: 'Permissions' },
  'audit-logs': { en: 'Audit log', fr: 'Journal d’audit' },
  people: { en: 'Data of one person', fr: 'Données d’une personne' },
  locations: { en: 'Locations', fr: 'Localités' },
  schools: { en: 'Schools', fr: 'Établissements' },
  teachers: { en: 'Teachers', fr: 'Enseignants' },
  students: { en: 'Students', fr: 'Élèves' },
  parents: { en: 'Guardians', fr: 'Tuteurs et tutrices' },
  partners: { en: 'Partners', fr: 'Partenaires' },
  transfers: { en: 'Transfers', fr: 'Transferts' },
  agencies: { en: 'Transfer agencies', fr: 'Agences de transfert' },
  parameters: { en: 'Transfer parameters', fr: 'Paramètres de transfert' },
  cohorts: { en: 'Cohorts', fr: 'Cohortes' },
  recipients: { en: 'Recipients', fr: 'Destinataires' },
  payrolls: { en: 'Payrolls', fr: 'États de paiement' },
  arrears: { en: 'Arrears', fr: 'Arriérés' },
  holds: { en: 'Girls on hold', fr: 'Élèves bloquées' },
  statements: { en: 'Statements of agencies', fr: 'Relevés des agences' },
  cases: { en: 'Cases', fr: 'Dossiers' },
  survey: { en: 'Survey dashboard', fr: 'Tableau de bord de l’enquête' },
  sync: { en: 'Message sync', fr: 'Synchronisation des messages' },
  modules: { en: 'Modules', fr: 'Modules' },
  system: { en: 'State of the portal', fr: 'État du portail' },
}

/** What a permission allows: the part after its dot. */
export const actionWords: Record<Action, Text> = {
  view: { en: 'view', fr: 'consulter' },
  create: { en: 'create', fr: 'créer' },
  update: { en: 'edit', fr: 'modifier' },
  deactivate: { en: 'activate and deactivate', fr: 'activer et désactiver' },
  'assign-roles': { en: 'assign roles', fr: 'attribuer des rôles' },
  manage: { en: 'manage', fr: 'gérer' },
  assign: { en: 'assign', fr: 'attribuer' },
  import: { en: 'import', fr: 'importer' },
  export: { en: 'export', fr: 'exporter' },
  erase: { en: 'erase', fr: 'effacer' },
  sensitive: { en: 'sensitive data', fr: 'données sensibles' },
  sign: { en: 'sign', fr: 'signer' },
  correct: { en: 'propose corrections', fr: 'proposer des corrections' },
  'write-off': { en: 'write off', fr: 'passer en perte' },
  admit: { en: 'admit', fr: 'admettre' },
  approve: { en: 'approve', fr: 'approuver' },
}
