import { row } from '../database.ts'
import { button } from '../openings.ts'
import { idOf, type Screen } from './screen.ts'

const caseIn = (status: string) =>
  idOf(`select id from cases where status = '${status}' and assigned_id = (select id from users
      where email = 'reviewer@portal.example') order by id limit 1`)

/** Cases and consultations. */
export const caseScreens: Screen[] = [
  {
    route: '/admin/cases',
    role: 'reviewer',
    dialogs: { create: button('Create case'), filters: button('Filters') },
  },
  {
    route: '/admin/cases/:id/details',
    role: 'reviewer',
    as: 'open',
    path: async () => `/admin/cases/${await caseIn('open')}/details`,
    dialogs: {
      refer: button('Refer external input'),
      upload: button('Upload'),
      activity: button('Record activity'),
      resolve: button('Resolve case'),
      reject: button('Reject'),
      reassign: button('Reassign'),
    },
  },
  {
    route: '/admin/cases/:id/details',
    role: 'reviewer',
    as: 'consulted',
    path: async () => `/admin/cases/${await caseIn('in_progress')}/details`,
    dialogs: { consultation: button('See Details'), withdraw: button('Withdraw') },
  },
  {
    route: '/admin/cases/:id/details',
    role: 'reviewer',
    as: 'resolved',
    path: async () => `/admin/cases/${await caseIn('resolved')}/details`,
  },
  {
    route: '/admin/consultations/preview/:id/:referral',
    role: 'reviewer',
    path: async () => {
      const referral = await row<{ id: number; case_id: number }>(
        'select id, case_id from referrals where resolved_at is null and rejected_at is null order by id limit 1',
      )
      return `/admin/consultations/preview/${referral.case_id}/${referral.id}`
    },
  },
]
