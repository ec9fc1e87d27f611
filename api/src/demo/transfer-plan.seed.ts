import { feesOf, planRounds } from '@portal/contracts/transfers/rounds'
import { chance } from './chance.ts'
import { dayAfter } from './days.ts'
import type { Registers } from './registers.seed.ts'

export type DemoAgency = {
  name: string
  description: string
  type: 'mobile_money' | 'bank'
  country: 'ml' | 'sn'
  fees: number
  /** Null stands for the sandbox agency's own address. */
  endpoint: string | null
  protocol: string
  status: 'active' | 'inactive'
}
export type DemoParameter = {
  name: string
  description: string
  commission_hundredths: number
  amount: number
  frequency: number
  status: 'active' | 'inactive'
}
export type DemoEntry = {
  /** Index in the registers' students. */
  student: number
  receiver_first_name: string
  receiver_last_name: string
  receiver_phone_number: string
  student_code: string
  amount: number
  fees: number
}
export type DemoCohort = {
  name: string
  description: string
  agency: number
  parameter: number
  from: string
  to: string
  rounds: { n: number; due_on: string }[]
  status: 'pending' | 'approved' | 'rejected'
  comment: string | null
  uploaded_on: string
  decided_on: string | null
  entries: DemoEntry[]
}

/**
 * The agencies. Exactly one active Malian mobile-money agency uses the sandbox (Registers 5.2). Addresses under
 * `.example` do not exist.
 */
export const agencies: DemoAgency[] = [
  {
    name: 'Sahel Mobile Money',
    description: 'Mobile wallets in every region of Mali. Bundled simulator: no money moves.',
    type: 'mobile_money',
    country: 'ml',
    fees: 1,
    endpoint: null,
    protocol: 'sandbox',
    status: 'active',
  },
  {
    name: 'Teranga Mobile Money',
    description: 'Mobile wallets in Senegal. Bundled simulator: no money moves.',
    type: 'mobile_money',
    country: 'sn',
    fees: 1,
    endpoint: null,
    protocol: 'sandbox',
    status: 'active',
  },
  {
    name: 'Wave Senegal',
    description: 'Payouts to wallets in Senegal, not contracted yet.',
    type: 'mobile_money',
    country: 'sn',
    fees: 1,
    endpoint: 'https://api.wave.example',
    protocol: 'wave',
    status: 'inactive',
  },
  {
    name: 'Banque du Fleuve',
    description: 'Transfers to bank accounts in Mali, by file.',
    type: 'bank',
    country: 'ml',
    fees: 0.75,
    endpoint: 'https://www.banque-du-fleuve.example',
    protocol: 'file',
    status: 'inactive',
  },
]

export const parameters: DemoParameter[] = [
  {
    name: 'Transport grant',
    description: 'Bus or bicycle for girls who live far from school.',
    commission_hundredths: 100,
    amount: 6_000,
    frequency: 2,
    status: 'inactive',
  },
  {
    name: 'School kit',
    description: 'Books, uniform and bag, once a term.',
    commission_hundredths: 150,
    amount: 15_000,
    frequency: 1,
    status: 'active',
  },
  {
    name: 'Boarding support',
    description: 'Room and meals for girls who board in town.',
    commission_hundredths: 125,
    amount: 22_500,
    frequency: 1,
    status: 'active',
  },
  {
    name: 'Monthly grant',
    description: 'Monthly grant for every girl who attends.',
    commission_hundredths: 200,
    amount: 10_500,
    frequency: 1,
    status: 'active',
  },
]
const [kit, monthly] = [1, 3]

/** Regions whose students are on one list. `agency` is an index in the list of agencies. */
const groups = [
  { name: 'Kayes, Kita, Nioro', regions: ['KAYES', 'KITA', 'NIORO'], agency: 0 },
  { name: 'Koulikoro, Nara, Dioïla, Bamako', regions: ['KOULIKORO', 'NARA', 'DIOILA', 'BAMAKO'], agency: 0 },
  { name: 'Sikasso, Bougouni, Koutiala', regions: ['SIKASSO', 'BOUGOUNI', 'KOUTIALA'], agency: 0 },
  { name: 'Ségou, San', regions: ['SEGOU', 'SAN'], agency: 0 },
  {
    name: 'Mopti and the north',
    regions: ['MOPTI', 'DOUENTZA', 'BANDIAGARA', 'TOMBOUCTOU', 'GAO', 'MENAKA', 'KIDAL'],
    agency: 0,
  },
  { name: 'Senegal', regions: null, agency: 1 },
]

/**
 * Plans the cohorts: two terms of past payments for every student, a rejected list, and one that waits for approval.
 * Periods of the past ended before `today`.
 */
export function planTransfers(registers: Registers, today: string): DemoCohort[] {
  const listed = groups
    .map((group) => ({ ...group, students: studentsOf(registers, group.regions) }))
    .filter(({ students }) => students.length > 0)
  const past = (after: number, days: number, parameter: number, about: string) =>
    listed.map(({ name, agency, students }, k): DemoCohort => {
      const from = dayAfter(today, after + k * 2)
      const to = dayAfter(from, days - 1)
      return {
        ...lists(registers, students, parameter, k),
        name: `${name} – ${from.slice(5, 7)}/${from.slice(0, 4)}`,
        description: about,
        agency,
        parameter,
        from,
        to,
        rounds: planRounds(from, to, parameters[parameter]?.frequency ?? 1),
        status: 'approved',
        comment: null,
        uploaded_on: dayAfter(from, -9),
        decided_on: dayAfter(from, -5),
      }
    })
  return [
    ...past(-250, 30, kit, 'School kit: one payment per student.'),
    rejectedList(registers, today),
    ...past(-140, 61, monthly, 'Monthly grant: two payments per student.'),
    waitingList(registers, today),
  ]
}

function rejectedList(registers: Registers, today: string): DemoCohort {
  const students = studentsOf(registers, ['SIKASSO']).slice(0, 60)
  const from = dayAfter(today, -160)
  const to = dayAfter(today, -131)
  return {
    ...lists(registers, students, monthly, 90),
    name: `Sikasso – ${from.slice(5, 7)}/${from.slice(0, 4)}`,
    description: 'Monthly grant, one school.',
    agency: 0,
    parameter: monthly,
    from,
    to,
    rounds: planRounds(from, to, 1),
    status: 'rejected',
    comment: 'The school is on the list of the whole region already. Please leave these students out.',
    uploaded_on: dayAfter(from, -6),
    decided_on: dayAfter(from, -4),
  }
}

function waitingList(registers: Registers, today: string): DemoCohort {
  const all = studentsOf(registers, ['SEGOU', 'SAN'])
  const ends = (student: number, ending: string) => phoneOf(registers, student).endsWith(ending)
  const plain = all.filter((student) => Number(phoneOf(registers, student).slice(-2)) >= 10)
  // One number is refused by the agency and one is paid late, so that the round shows both.
  const special = ['02', '05'].flatMap((ending) =>
    studentsOf(registers, null, 'ml')
      .filter((student) => ends(student, ending))
      .slice(0, 1),
  )
  const students = [...plain.slice(0, 40 - special.length), ...special]
  const to = dayAfter(today, 60)
  return {
    ...lists(registers, students, monthly, 91),
    name: `Ségou: late enrolments – ${today.slice(5, 7)}/${today.slice(0, 4)}`,
    description: 'Girls enrolled after the first list of the term.',
    agency: 0,
    parameter: monthly,
    from: today,
    to,
    rounds: planRounds(today, to, 1),
    status: 'pending',
    comment: null,
    uploaded_on: today,
    decided_on: null,
  }
}

/** The students of these regions, or of a whole country if `regions` is null. */
function studentsOf(
  registers: Registers,
  regions: readonly string[] | null,
  country: 'ml' | 'sn' = regions ? 'ml' : 'sn',
): number[] {
  return registers.students.flatMap(({ school }, student) => {
    const place = registers.schools[school]
    return place?.country === country && (!regions || regions.includes(place.region)) ? [student] : []
  })
}

const phoneOf = (registers: Registers, student: number) =>
  registers.guardians[registers.students[student]?.guardian ?? -1]?.contact_1 ?? ''

/** The target list of these students. Their guardians are paid, and a few of them get another amount than usual. */
function lists(
  registers: Registers,
  students: readonly number[],
  parameter: number,
  seed: number,
): { entries: DemoEntry[] } {
  const { amount: usual = 0, commission_hundredths = 0 } = parameters[parameter] ?? {}
  const dice = chance(7_000 + seed * 10 + parameter)
  const entries = students.flatMap((student) => {
    const { guardian, student_code } = registers.students[student] ?? {}
    const receiver = registers.guardians[guardian ?? -1]
    if (!receiver || !student_code) return []
    const amount = dice.percent(5) ? usual + 2_000 : usual
    return [
      {
        student,
        receiver_first_name: receiver.first_name,
        receiver_last_name: receiver.last_name,
        receiver_phone_number: receiver.contact_1,
        student_code,
        amount,
        fees: feesOf(amount, commission_hundredths),
      },
    ]
  })
  return { entries }
}
