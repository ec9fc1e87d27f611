import * as v from 'valibot'
import { oneOf } from './fields.ts'
import type { Permission } from './permissions.ts'
import type { Text } from './text.ts'

/** What somebody has to act on, and is told of by bell and mail (Messages 4.3). */
export const noticeKinds = [
  'cohort-to-approve',
  'cohort-refused',
  'cohort-in-error',
  'case-assigned',
  'case-due',
  'expert-answered',
  'build-to-admit',
  'erasure-to-decide',
  'payment-to-settle',
  'cohort-to-move',
  'decision-waits',
  'module-errors',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** When the mail leaves: with the event, with the others once a day, or never. */
export const mailTimes = ['at-once', 'digest', 'off'] as const
export type MailTime = (typeof mailTimes)[number]

/** How one kind reaches a person: on the bell or not, and when by mail. */
export const NoticePreference = v.object({
  bell: v.boolean('boolean'),
  mail: oneOf(...mailTimes),
})
export type NoticePreference = v.InferOutput<typeof NoticePreference>

const entry = v.optional(NoticePreference)
const ofModule = v.pipe(v.string(), v.regex(/^mfe-[a-z][a-z0-9-]{0,60}$/, 'choose'))
const kindEntries = {
  'cohort-to-approve': entry,
  'cohort-refused': entry,
  'cohort-in-error': entry,
  'case-assigned': entry,
  'case-due': entry,
  'expert-answered': entry,
  'build-to-admit': entry,
  'erasure-to-decide': entry,
  'payment-to-settle': entry,
  'cohort-to-move': entry,
  'decision-waits': entry,
  'module-errors': entry,
} satisfies Record<NoticeKind, typeof entry>
/** By kind, and by the module whose notices they are. What is left out stays as it is. */
export const NoticePreferences = v.object({
  ...kindEntries,
  modules: v.optional(v.record(ofModule, NoticePreference)),
})
export type NoticePreferences = v.InferOutput<typeof NoticePreferences>

/** What holds until a person chooses. What stops work leaves at once; the rest waits for the day's mail. */
export const noticeDefaults: Record<NoticeKind, NoticePreference> = {
  'cohort-to-approve': { bell: true, mail: 'at-once' },
  'cohort-refused': { bell: true, mail: 'digest' },
  'cohort-in-error': { bell: true, mail: 'at-once' },
  'case-assigned': { bell: true, mail: 'at-once' },
  'case-due': { bell: true, mail: 'digest' },
  'expert-answered': { bell: true, mail: 'digest' },
  'build-to-admit': { bell: true, mail: 'at-once' },
  'erasure-to-decide': { bell: true, mail: 'digest' },
  'payment-to-settle': { bell: true, mail: 'digest' },
  'cohort-to-move': { bell: true, mail: 'at-once' },
  'decision-waits': { bell: true, mail: 'at-once' },
  'module-errors': { bell: true, mail: 'at-once' },
}

/** The same for what modules tell. */
export const moduleNoticeDefault: NoticePreference = { bell: true, mail: 'digest' }

/** Whom a kind can reach: holders of one of these permissions. Others are not asked about it. */
const noticePermissions: Record<NoticeKind, readonly Permission[]> = {
  'cohort-to-approve': ['cohorts.approve'],
  'cohort-refused': ['cohorts.create'],
  'cohort-in-error': ['cohorts.approve', 'cohorts.create'],
  'case-assigned': ['cases.manage'],
  'case-due': ['cases.manage'],
  'expert-answered': ['cases.manage'],
  'build-to-admit': ['modules.admit'],
  'erasure-to-decide': ['people.erase'],
  'payment-to-settle': ['cohorts.approve'],
  'cohort-to-move': ['cohorts.approve'],
  'decision-waits': ['cohorts.approve', 'agencies.update', 'statements.sign'],
  // Each module of a partner has a permission of its own for it.
  'module-errors': [],
}

/** Whether a kind can reach somebody with these permissions. */
export const canReach = (kind: NoticeKind, permissions: readonly string[]): boolean =>
  noticePermissions[kind].some((name) => permissions.includes(name)) ||
  (kind === 'module-errors' && permissions.some((name) => /^mfe-[a-z0-9-]+\.watch$/.test(name)))

/** The kinds in words: on the profile page, above the lines of the day's mail, and in the audit log. */
export const noticeWords: Record<NoticeKind, Text> = {
  'cohort-to-approve': { en: 'Cohort to approve', fr: 'Cohorte à approuver' },
  'cohort-refused': { en: 'Cohort rejected', fr: 'Cohorte rejetée' },
  'cohort-in-error': { en: 'Cohort in payment error', fr: 'Cohorte en erreur de paiement' },
  'case-assigned': { en: 'Case assigned to you', fr: 'Dossier qui vous est attribué' },
  'case-due': { en: 'Case due or overdue', fr: 'Dossier à échéance ou en retard' },
  'expert-answered': { en: 'Consultation ended or not delivered', fr: 'Consultation terminée ou non remise' },
  'build-to-admit': { en: 'Module to admit', fr: 'Module à admettre' },
  'erasure-to-decide': { en: 'Erasure to decide', fr: 'Effacement à décider' },
  'decision-waits': { en: 'Decision that waits for you', fr: 'Décision qui vous attend' },
  'module-errors': { en: 'Errors of a module', fr: 'Erreurs d’un module' },
  'payment-to-settle': { en: 'Payment to settle', fr: 'Paiement à régler' },
  'cohort-to-move': { en: 'Cohort to move to another agency', fr: 'Cohorte à confier à une autre agence' },
}

/** When the mail of a kind leaves, in words. */
export const mailTimeWords: Record<MailTime, Text> = {
  'at-once': { en: 'At once', fr: 'Aussitôt' },
  digest: { en: 'Once a day', fr: 'Chaque jour' },
  off: { en: 'Never', fr: 'Jamais' },
}

/** How the audit log calls what a person chose for a kind, or for the notices of a module. */
export const noticeField = (way: keyof NoticePreference, kind: string) => `${way}_${kind}`
