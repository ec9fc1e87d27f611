import type { DemoSize } from './schools.seed.ts'

export type CaseStatus = 'new' | 'open' | 'in_progress' | 'resolved' | 'rejected'
export type Referral = {
  salutation: 'mr' | 'mrs' | 'miss' | 'prof' | 'dr'
  first_name: string
  last_name: string
  email: string
  profession: string
  comment: string
  /** The result. It is null while the referral is open. */
  end: { kind: 'resolved' | 'rejected'; note: string } | null
}
export type DemoCase = {
  title: string
  description: string
  type: string
  channel: string
  tags: string[]
  priority: 'low_1_month' | 'medium_1_week' | 'high_1_day'
  status: CaseStatus
  plaintiff: string
  /** The number of days before today on which the case was filed. */
  filed: number
  /** The minute of that day, counted from midnight in UTC. */
  minute: number
  filer: 'officer' | 'school' | 'reviewer'
  notes: string[]
  verdict: string | null
  referral: Referral | null
}

type Story = Pick<DemoCase, 'title' | 'description' | 'type' | 'tags' | 'priority'> & {
  notes: string[]
  verdict: string
}

const stories: Story[] = [
  {
    title: 'Monthly grant not received',
    description: 'The guardian says that neighbours were paid last week and that nothing came to her number.',
    type: 'payment_not_received',
    tags: ['phone_number'],
    priority: 'medium_1_week',
    notes: [
      'Called the guardian: the number on the list is an old one.',
      'New number checked with the school director.',
    ],
    verdict: 'The number was corrected and the grant of the round was paid again.',
  },
  {
    title: 'Less money than announced',
    description: 'The family was told 10,500 francs and could take out 9,000 only at the kiosk.',
    type: 'wrong_amount',
    tags: ['agency'],
    priority: 'medium_1_week',
    notes: [
      'Asked the agency for the receipt of the payment.',
      'The kiosk kept a charge that it may not ask for.',
    ],
    verdict: 'The agency gave 1,500 francs back and warned the kiosk.',
  },
  {
    title: 'Money went to another number',
    description:
      'The first name on the list is the daughter’s, and the number belongs to an uncle who has moved away.',
    type: 'wrong_recipient',
    tags: ['identity', 'phone_number'],
    priority: 'high_1_day',
    notes: ['The school confirms who the guardian is.'],
    verdict: 'Name and number were corrected for the coming rounds; the uncle handed the money over.',
  },
  {
    title: 'Sister left out of the list',
    description: 'Two sisters are in the same class. Only the elder one stands on the target list.',
    type: 'not_on_list',
    tags: ['several_girls'],
    priority: 'low_1_month',
    notes: ['Both are enrolled this year; the younger one came after the list was made.'],
    verdict: 'She is on the list of late enrolments.',
  },
  {
    title: 'Marked absent while she was at school',
    description: 'The class register shows her present on the days that were reported as missed.',
    type: 'attendance',
    tags: [],
    priority: 'low_1_month',
    notes: ['Photo of the register asked for.', 'The register and the message differ: a typing mistake.'],
    verdict: 'Attendance was corrected for the week.',
  },
  {
    title: 'Guardian keeps the money',
    description:
      'A teacher reports that the girl came without books and says that the money was used for other things.',
    type: 'misuse',
    tags: ['repeated'],
    priority: 'medium_1_week',
    notes: ['The committee visited the family.'],
    verdict: 'The family bought the books; the committee looks in again at the end of the term.',
  },
  {
    title: 'Girl no longer comes to school',
    description: 'She has not been seen since the holidays. Friends say that she is to be married.',
    type: 'safeguarding',
    tags: ['urgent'],
    priority: 'high_1_day',
    notes: [
      'The director and the committee went to see the parents.',
      'The social service of the cercle was told.',
    ],
    verdict: 'She is back in class. The social service keeps in touch with the family.',
  },
  {
    title: 'Family moved to another region',
    description: 'The family had to leave its village; the girl goes to school in town now.',
    type: 'other',
    tags: ['displaced', 'school_change'],
    priority: 'low_1_month',
    notes: ['The new school sent its admission number.'],
    verdict: 'Her record was moved to the new school; payments go on.',
  },
  {
    title: 'Name of the girl shown on a wall',
    description: 'A list with names and numbers was put up outside the school.',
    type: 'personal_data',
    tags: ['urgent'],
    priority: 'high_1_day',
    notes: ['The list was taken down the same day.'],
    verdict: 'The school was shown how to tell families without a public list.',
  },
]

const channels = ['hotline', 'school', 'committee', 'visit', 'sms', 'letter', 'email']
const filers = ['school', 'officer', 'school', 'reviewer'] as const
const states: CaseStatus[] = [
  'new',
  'open',
  'resolved',
  'in_progress',
  'resolved',
  'rejected',
  'open',
  'resolved',
]
const consultants: Omit<Referral, 'comment' | 'end'>[] = [
  {
    salutation: 'dr',
    first_name: 'Nana',
    last_name: 'Karabenta',
    email: 'n.karabenta@conseil.example',
    profession: 'Lawyer',
  },
  {
    salutation: 'mr',
    first_name: 'Sory',
    last_name: 'Dagnoko',
    email: 's.dagnoko@conseil.example',
    profession: 'Social worker',
  },
  {
    salutation: 'prof',
    first_name: 'Batoma',
    last_name: 'Sininta',
    email: 'b.sininta@conseil.example',
    profession: 'Psychologist',
  },
]
const rejection = 'The committee found nothing that can be followed up. The person who reported it was told.'

/** Makes cases in every state, filed over the last two months. `plaintiffs` are names of the demo's guardians. */
export function makeCases(size: DemoSize, plaintiffs: readonly string[]): DemoCase[] {
  const count = size === 'full' ? 42 : 16
  return Array.from({ length: count }, (_, k) => {
    const story = stories[k % stories.length] as Story
    const status = states[k % states.length] as CaseStatus
    const decided = status === 'resolved' || status === 'rejected'
    return {
      ...story,
      status,
      channel: channels[k % channels.length] as string,
      plaintiff: plaintiffs[(k * 37) % plaintiffs.length] ?? '',
      filed: status === 'new' ? k % 3 : 3 + ((k * 5) % 55),
      // From half past seven to half past four, no two cases at the same minute.
      minute: 450 + ((k * 137) % 540),
      filer: filers[k % filers.length] as DemoCase['filer'],
      notes: status === 'new' ? [] : story.notes.slice(0, decided ? 2 : 1),
      verdict: status === 'resolved' ? story.verdict : status === 'rejected' ? rejection : null,
      referral: referralOf(k, status),
    }
  })
}

/** A case in progress has an open referral. Some of the others had one. */
function referralOf(k: number, status: CaseStatus): Referral | null {
  if (status === 'new' || (status !== 'in_progress' && k % 5 !== 2)) return null
  const consultant = consultants[k % consultants.length] as Omit<Referral, 'comment' | 'end'>
  const comment = 'Please tell us what the family may ask for, and whom we should speak to.'
  if (status === 'in_progress') return { ...consultant, comment, end: null }
  return {
    ...consultant,
    comment,
    end:
      k % 2 === 0
        ? {
            kind: 'resolved',
            note: 'The school may decide this with the committee. A written note of both is enough.',
          }
        : { kind: 'rejected', note: 'I know the family and should not give advice here.' },
  }
}
